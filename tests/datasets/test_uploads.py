"""Bytes to text: sizes, encodings, names."""

import tracemalloc

import pytest

from dpot_core.datasets.uploads import MAX_NAME, MAX_UPLOAD_BYTES, check_size, decode, plain_text


def test_a_200_mb_upload_is_refused_without_reading_it():
    data = bytes(200 * 10**6)  # zero pages, which the system does not back before they are touched
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"has 190\.7 MiB; at most 50 MiB are accepted"):
        check_size(data, "CSV file")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000


def test_the_limit_itself_is_accepted():
    check_size(bytes(MAX_UPLOAD_BYTES), "CSV file")
    with pytest.raises(ValueError, match="is empty"):
        check_size(b"", "CSV file")


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("latin-1", "Windows-1252"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_encodings(encoding, name):
    assert decode("Zoë, Grüße\n".encode(encoding), "file") == ("Zoë, Grüße\n", name)


def test_utf_16_of_either_order():
    for bom, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        assert decode(bom + "aé".encode(encoding), "file") == ("aé", "UTF-16")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04rest", "Excel workbook"),
        (b"\x89PNG\r\n\x1a\n", "PNG picture"),
        (b"%PDF-1.7", "PDF"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"user,lat\x00,lon\n", "NUL bytes"),
        ("user,lat".encode("utf-16-le"), "NUL bytes"),
        (b"\xff\xfea", "starts like UTF-16 but is not"),
        (bytes(range(1, 32)) * 10, "control codes"),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_its_likely_kind(data, message):
    with pytest.raises(ValueError, match=message):
        decode(data, "file")


def test_plain_text_keeps_words_and_markup_and_drops_the_rest():
    assert plain_text("  a\t b\r\nc ") == "a b c"
    assert plain_text("<b onclick=x>&amp;</b>") == "<b onclick=x>&amp;</b>"
    assert plain_text("a\x00\x1b[31m\u202eb\x85c") == "a[31mb c"
    assert plain_text("é" * 200) == "é" * (MAX_NAME - 1) + "…"
    assert plain_text("\x07\u200b") == ""
