"""A user's CSV file: what is understood, and a clear word about what is not."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpot_core.datasets import ColumnsError, read_checkins_csv, sniff_columns
from dpot_core.datasets.csv_bounds import MAX_ROWS

GOOD = b"user,lat,lon,count\nann,30.25,-97.75,3\nbob,30.5,-97.5,1\nann,30.25,-97.75,2\n"


def test_reads_rows_and_adds_duplicates_up():
    checkins = read_checkins_csv(GOOD, title="Mine")
    assert checkins.labels == ("ann", "bob")
    assert checkins.user.tolist() == [0, 1]
    assert checkins.count.tolist() == [5.0, 1.0]
    assert (checkins.lat[0], checkins.lon[0]) == (30.25, -97.75)
    assert (checkins.title, checkins.simulated, checkins.notes) == ("Mine", False, ())


def test_without_a_count_every_row_is_one_visit():
    checkins = read_checkins_csv(b"user,lat,lon\na,1,2\na,1,2\na,1,3\n")
    assert checkins.count.tolist() == [2.0, 1.0]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(delimiter, newline):
    lines = [["User ID", "Latitude", "LNG", "weight"], ["a, b" if delimiter != "," else "a", "1.5", "2", "3"]]
    data = newline.join(delimiter.join(line) for line in lines).encode()
    checkins = read_checkins_csv(data)
    assert (checkins.lat[0], checkins.lon[0], checkins.count[0]) == (1.5, 2.0, 3.0)
    assert sniff_columns(data).delimiter == delimiter


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_encodings_need_no_note(encoding):
    checkins = read_checkins_csv("user,lat,lon\nZoë,1,2\n".encode(encoding))
    assert checkins.labels == ("Zoë",)
    assert checkins.notes == ()


def test_windows_1252_is_read_and_said():
    checkins = read_checkins_csv("user,lat,lon\nZoë’s €,1,2\n".encode("cp1252"))
    assert checkins.labels == ("Zoë’s €",)
    assert "Windows-1252" in checkins.notes[0]
    assert sniff_columns("user,lat,lon\nZoë,1,2\n".encode("latin-1")).encoding == "Windows-1252"


def test_a_mapping_names_the_columns():
    data = b"who,y deg,x deg,times,other\nann,1,2,3,9\n"
    columns = sniff_columns(data)
    assert columns.names == ("who", "y deg", "x deg", "times", "other")
    assert (columns.guess, columns.complete) == ({}, False)
    checkins = read_checkins_csv(data, {"user": "who", "lat": "y deg", "lon": "x deg", "count": "times"})
    assert (checkins.labels, checkins.lat[0], checkins.lon[0], checkins.count[0]) == (("ann",), 1.0, 2.0, 3.0)


def test_recognised_columns_are_offered():
    assert sniff_columns(b"id,Lat,LONG,n,note\n").guess == {"user": "id", "lat": "Lat", "lon": "LONG", "count": "n"}
    # "user" is a better name for the user than "id", wherever it stands.
    assert sniff_columns(b"id,user,lat,lon\n").guess["user"] == "user"


def test_wrong_columns_are_listed_for_the_page_to_offer():
    with pytest.raises(ColumnsError, match="no column for user, lon; found 'name', 'lat', 'where'") as caught:
        read_checkins_csv(b"name,lat,where\na,1,2\n")
    assert caught.value.columns.names == ("name", "lat", "where")
    with pytest.raises(ColumnsError, match="first row must hold the names"):
        read_checkins_csv(b"ann,here\nbob,there\n")
    with pytest.raises(ColumnsError, match="'column 3'; its first row holds no names, so say which column is which"):
        read_checkins_csv(b"ann,30.1,-97.5\nbob,30.2,-97.5\n")
    with pytest.raises(ColumnsError, match=r"column 'b' \(for lat\) is not in the file"):
        read_checkins_csv(GOOD, {"user": "user", "lat": "b", "lon": "lon"})


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"user": "user", "lat": "lat", "lon": "lat"}, "different columns"),
        ({"user": "user", "lat": "lat", "lon": "lon", "colour": "count"}, "got colour"),
        ({"user": "user", "lat": "lat"}, "no column for lon"),
    ],
)
def test_senseless_mappings(mapping, message):
    with pytest.raises(ValueError, match=message):
        read_checkins_csv(GOOD, mapping)


def row(user="a", lat="1", lon="2", count="3"):
    return f"user,lat,lon,count\nok,1,2,3\n{user},{lat},{lon},{count}\n".encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\n\r\n  \n", "is empty"),
        (b"user,lat,lon\n", "no rows"),
        (b"user,lat,lon\n\n,,\n", "no rows"),
        (b"\x89PNG\r\n\x1a\n\x00", "PNG"),
        (b"PK\x03\x04", "the archive cannot be unpacked"),
        (b"user,lat,lon\na\x00b,1,2\n", "NUL bytes"),
        (row(lat="north"), r"row 3, column 'lat': lat must be a number in \[-90, 90\].*got 'north'"),
        (row(lon="2,5".replace(",", ";")), "row 3, column 'lon'.*got '2;5'"),
        (row(lon="inf"), "row 3, column 'lon'.*got 'inf'"),
        (row(lon="-1e999"), "row 3, column 'lon'.*got '-1e999'"),
        (row(lat="90.001"), "row 3, column 'lat'.*got '90.001'"),
        (row(lon="-180.5"), "row 3, column 'lon'.*got '-180.5'"),
        (row(count="-1"), r"row 3, column 'count': count must be a number in \[0.*got '-1'"),
        (row(count="many"), "row 3, column 'count'.*got 'many'"),
        (row(count="1e300"), "row 3, column 'count'.*got '1e300'"),
        (row(user=""), "row 3, column 'user': the user's name is empty"),
        (row(user=" \x07 "), "row 3, column 'user': the user's name is empty"),
        (b"user,lat,lon,count\na,1,2,0\nb,1,2,0\n", "column 'count': every count is 0"),
        (b"user,lat,lon\na,1,2,3\n", "more columns than the header, which has 3"),
        (b"user,lat,lon\na,1,2\nb,1,2,3\n", "Expected 3 fields in line 3, saw 4"),
        (b"user,lat,lon\na,1\n", "every row of the CSV file lacks a number in column 'lat' or 'lon'"),
        (b'user,lat,lon\n"a,1,2\n', "EOF inside string"),
        (b"user,lat,lat,lon\na,1,2,3\n", "row 1: column 'lat' appears 2 times"),
        (b"user,lat,lon\na\x07,1,2\na,1,2\n", "differ only in control characters"),
    ],
)
def test_bad_files_are_refused_in_words(data, message):
    with pytest.raises(ValueError, match=message):
        read_checkins_csv(data)


def test_the_number_of_further_bad_rows_is_said():
    with pytest.raises(ValueError, match=r"row 2, .*\(2 more rows are wrong too\)"):
        read_checkins_csv(b"user,lat,lon\na,x,2\nb,y,2\nc,z,2\nd,1,2\n")


def test_empty_lines_keep_the_numbers_of_the_rows():
    with pytest.raises(ValueError, match="row 5, column 'lon'"):
        read_checkins_csv(b"\nuser,lat,lon\n\na,1,2\nb,1,x\n")
    assert read_checkins_csv(b"user,lat,lon\n\na,1,2\n\n\n").n_users == 1


def test_rows_with_count_zero_are_left_out_and_said():
    checkins = read_checkins_csv(b"user,lat,lon,count\na,1,2,0\nb,1,2,1\n")
    assert checkins.labels == ("b",)
    assert checkins.notes == ("1 row with count 0 was left out.",)


def test_200_mb_are_refused_before_parsing():
    with pytest.raises(ValueError, match="at most 50 MiB"):
        read_checkins_csv(bytes(200 * 10**6))
    with pytest.raises(ValueError, match="at most 50 MiB"):
        sniff_columns(bytes(200 * 10**6))


def test_too_many_rows_are_refused_before_parsing():
    with pytest.raises(ValueError, match="more than 1,000,000 rows"):
        read_checkins_csv(b"user,lat,lon\n" + b"a,1,2\n" * (MAX_ROWS + 1))


def test_html_and_formulas_in_labels_stay_text():
    data = b'user,lat,lon\n<img src=x onerror=alert(1)>,1,2\n"=HYPERLINK(""http://x"")",1,2\n'
    assert read_checkins_csv(data).labels == ("<img src=x onerror=alert(1)>", '=HYPERLINK("http://x")')


def test_control_characters_leave_labels_and_it_is_said():
    checkins = read_checkins_csv("user,lat,lon\na\u202eb\x1b,1,2\n".encode())
    assert checkins.labels == ("ab",)
    assert "1 user name was" in checkins.notes[0]


def test_numeric_users_keep_their_spelling():
    assert read_checkins_csv(b"user,lat,lon\n007,1,2\n7,1,2\n1e3,1,2\n").labels == ("007", "7", "1e3")


def test_nothing_is_written_to_disk(tmp_path, monkeypatch):
    def no_file(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"a file was opened: {args}")

    read_checkins_csv(GOOD)  # at its first table pandas reads how many processors there are
    monkeypatch.setattr("builtins.open", no_file)
    monkeypatch.setattr("os.open", no_file)
    assert read_checkins_csv(GOOD).n_users == 2


@given(st.binary(max_size=300))
def test_any_bytes_give_check_ins_or_a_value_error(data):
    with contextlib.suppress(ValueError):
        read_checkins_csv(data)


@given(st.text(max_size=200))
def test_any_text_under_a_good_header_gives_check_ins_or_a_value_error(text):
    data = b"user,lat,lon\na,1,2\n" + text.encode("utf-8", "replace")
    try:
        checkins = read_checkins_csv(data)
    except ValueError:
        return
    assert checkins.labels[0] == "a"
    assert np.isfinite(checkins.lat).all()
