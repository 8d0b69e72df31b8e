"""The table of data sets."""

import pytest

from dpot_core.datasets import DATASETS, CheckIns


@pytest.mark.parametrize("label", DATASETS)
def test_every_entry_loads_what_it_promises(label, real_data, monkeypatch):
    dataset = DATASETS[label]
    if dataset.download_megabytes:
        monkeypatch.setenv("DPOT_DATA", str(real_data("gowalla/austin_counts.csv.gz").parents[1]))
    checkins = dataset.load()
    assert isinstance(checkins, CheckIns)
    assert checkins.simulated == dataset.simulated
    assert checkins.with_at_least(10).n_users >= 500
    assert dataset.title
    assert dataset.description.endswith(".")


def test_only_invented_people_come_without_a_download():
    without = [dataset for dataset in DATASETS.values() if not dataset.download_megabytes]
    assert DATASETS["simulated"] in without and all(dataset.simulated for dataset in without)
