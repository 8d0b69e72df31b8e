"""A user's GeoJSON zones: what becomes a place of the output, and a clear word about what does not."""

import json
import time

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import dpot_core as dpot
from dpot_core.datasets import city_grid, read_zones_geojson, square_around
from dpot_core.datasets.geojson import MAX_VERTICES, MAX_ZONES

GRID = city_grid((-97.95, 30.10, -97.55, 30.52), 20)
X, Y = -97.75, 30.3


def square(dx=0.0, dy=0.0, side=0.02):
    x, y = X + dx, Y + dy
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side], [x, y]]


def polygon(*rings):
    return {"type": "Polygon", "coordinates": list(rings)}


def feature(geometry, **properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def collection(*features):
    return {"type": "FeatureCollection", "features": list(features)}


def read(document):
    return read_zones_geojson(json.dumps(document).encode(), GRID)


def circle(n, radius=0.1, noise=0.0):
    turn = np.linspace(0, 2 * np.pi, n)[:-1]
    far = radius * (1 + 0.3 * np.sin(5 * turn) + noise * np.random.default_rng(0).normal(size=n - 1))
    ring = np.column_stack([X + far * np.cos(turn), Y + far * np.sin(turn)]).tolist()
    return [*ring, ring[0]]


def test_points_lie_inside_in_the_frame_of_the_grid():
    zones = read(collection(feature(polygon(square()), name="A"), feature(polygon(square(0.1)), NAME="B")))
    assert (len(zones), zones.names, zones.notes) == (2, ("A", "B"), ())
    assert zones.points == pytest.approx(GRID.to_km([Y + 0.01, Y + 0.01], [X + 0.01, X + 0.11]), abs=0.02)
    lonlat = GRID.to_lonlat(zones.points)
    for (part,), point in zip(zones.polygons, lonlat, strict=True):
        assert shapely.contains_xy(shapely.Polygon(part[0]), *point)


def test_zones_are_targets_of_a_cost_matrix():
    zones = read(collection(*(feature(polygon(square(0.03 * i))) for i in range(5))))
    cost = dpot.cost_matrix(GRID.space, zones.points, p=1)
    assert cost.shape == (400, 5)
    assert 0 < cost.min() < 2


@pytest.mark.parametrize(
    "document", [collection(feature(polygon(square()))), feature(polygon(square())), polygon(square())]
)
def test_collection_feature_and_bare_geometry(document):
    zones = read(document)
    assert len(zones) == 1
    assert zones.names == ("Zone 1",)


def test_multipolygons_and_holes():
    hole = square(0.005, 0.005, 0.01)
    zones = read(collection(feature({"type": "MultiPolygon", "coordinates": [[square(), hole], [square(0.1)]]})))
    assert [len(part) for part in zones.polygons[0]] == [2, 1]
    shape = shapely.MultiPolygon([(rings[0], list(rings[1:])) for rings in zones.polygons[0]])
    assert shapely.contains_xy(shape, *GRID.to_lonlat(zones.points)[0])


def test_collections_of_geometries_are_zones():
    """In one feature: one zone, without what has no area in it; alone: each of them is one."""
    point, two = {"type": "Point", "coordinates": [X, Y]}, [polygon(square()), polygon(square(0.1))]
    nested = {
        "type": "GeometryCollection",
        "geometries": [two[1], point, {"type": "GeometryCollection", "geometries": []}],
    }
    zones = read(collection(feature({"type": "GeometryCollection", "geometries": [two[0], nested]}, name="A")))
    assert zones.names == ("A",) and len(zones.polygons[0]) == 2
    assert zones.notes == ("Shapes without an area were left out: 1 Point.",)
    alone = read({"type": "GeometryCollection", "geometries": [*two, point]})
    assert len(alone) == 2 and alone.notes == zones.notes
    both = read(collection(feature(two[0]), feature(two[1])))
    np.testing.assert_array_equal(alone.points, both.points)


def test_longitudes_from_0_to_360_are_read_with_a_note():
    turned, usual = (
        read(collection(*(feature(polygon(square(dx + i / 10))) for i in range(2)))) for dx in (360.0, 0.0)
    )
    np.testing.assert_allclose(turned.points, usual.points, atol=1e-6)
    assert turned.notes == ("2 outlines with longitudes from 180 to 360 were read as degrees west (262.3 as -97.7).",)
    assert turned.polygons[0][0][0][0, 0] == pytest.approx(X)


@pytest.mark.parametrize("east", [-179.9, 180.1])
def test_a_zone_on_both_sides_of_the_180th_meridian_is_one_piece(east: float):
    grid = city_grid(square_around(-16.8, 179.99, 20.0), 8)
    ring = [[179.9, -16.9], [east, -16.9], [east, -16.7], [179.9, -16.7]]
    beside = [[east + 0.05, -16.9], [east + 0.1, -16.9], [east + 0.1, -16.7]]
    zones = read_zones_geojson(json.dumps(collection(feature(polygon(ring)), feature(polygon(beside)))).encode(), grid)
    ((x, y),) = zones.points[:1]
    assert 0 < x < grid.width and 0 < y < grid.height
    (part,) = zones.polygons[0]
    assert np.ptp(grid.to_km(part[0][:, 1], part[0][:, 0])[:, 0]) == pytest.approx(21.3, abs=0.5)
    assert any("180" in note for note in zones.notes)


def test_altitudes_and_unclosed_rings_are_understood():
    ring = [[*vertex, 120.0] for vertex in square()[:-1]]
    assert len(read(polygon(ring))) == 1


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"type": "Point", "coordinates": [X, Y]}, r"zones must be polygons; .* has none \(1 Point\)"),
        ({"type": "LineString", "coordinates": square()}, r"has none \(1 LineString\)"),
        ({"type": "GeometryCollection", "geometries": [{"type": "Point"}]}, r"has none \(1 Point\)"),
        (feature({"type": "GeometryCollection", "geometries": [{"type": "Point"}]}), r"has none \(1 Point\)"),
        (feature({"type": "GeometryCollection", "geometries": 7}), "no feature of the GeoJSON file has a geometry"),
        (feature({"type": "GeometryCollection", "geometries": [{"type": "Circle"}]}), "it is a Circle"),
        (collection(feature(polygon(square())), feature(polygon(square(360)))), "found 262.*and longitudes below 0"),
        (collection(feature(polygon(square())), feature({"type": "Circle", "radius": 1})), "feature 2 must"),
        (collection(), "has no features"),
        (collection(feature(None)), "no feature of the GeoJSON file has a geometry"),
        (collection(7), "feature 1 is not an object"),
        (collection(feature(7)), "feature 1 must be a Polygon"),
        ({"type": "FeatureCollection"}, "no list of features"),
        ({"type": "Topology", "objects": {}}, "its type is 'Topology'"),
        ({}, "its type is 'None'"),
        ([polygon(square())], "must be an object; got a list"),
        (polygon(), "no feature of the GeoJSON file has a geometry"),
        ({"type": "MultiPolygon", "coordinates": []}, "no feature of the GeoJSON file has a geometry"),
        (feature({"type": "Polygon"}), "not lists of rings"),
        ({"type": "MultiPolygon", "coordinates": [5]}, "not lists of rings"),
        (polygon([]), "no feature of the GeoJSON file has a geometry"),
        (polygon([], square()[0]), "no feature of the GeoJSON file has a geometry"),
        (polygon([[X, "north"], [X, Y], [X, Y], [X, Y]]), "pairs of numbers"),
        (polygon([["1", "2"], ["2", "3"], ["3", "1"], ["1", "2"]]), "pairs of numbers"),
        (polygon([[X], [X, Y], [X, Y], [X, Y]]), "pairs of numbers"),
        (polygon([[None, None]] * 4), "pairs of numbers"),
        (polygon([[True, False]] * 4), "pairs of numbers"),
        (polygon([{"x": 1}] * 4), "pairs of numbers"),
        (polygon([[X, Y], [X + 1, Y], [X, Y]]), "three different vertices"),
        (polygon([[X, Y], [X + 0.1, Y + 0.1], [X + 0.2, Y + 0.2], [X, Y]]), "encloses no area"),
        (polygon([[X, Y]] * 30), "encloses no area"),
        (polygon([[621000.0, 3350000.0], [622000.0, 3350000.0], [622000.0, 3351000.0]]), "WGS 84 degrees.*621000"),
        ({**polygon(square()), "crs": {"properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}}, "declares.*3857"),
    ],
)
def test_a_shape_that_is_no_zone_is_refused_in_words(document, message):
    with pytest.raises(ValueError, match=message):
        read(document)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"{", "not valid JSON: .*line 1, column 2"),
        (b"\x89PNG", "PNG"),
        (b"PK\x03\x04", "zip"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"type": "Polygon", "coordinates": [[[NaN, 1], [1, 2], [2, 3]]]}', "holds NaN"),
        (b'{"type": "Polygon", "coordinates": [[[1e999, 1], [1, 2], [2, 3]]]}', "WGS 84 degrees"),
        ('{"type": "Zoë"}'.encode("latin-1"), "not UTF-8"),
    ],
)
def test_invalid_files_are_refused_in_words(data, message):
    with pytest.raises(ValueError, match=message):
        read_zones_geojson(data, GRID)


def test_200_mb_are_refused_before_parsing():
    with pytest.raises(ValueError, match="at most 50 MiB"):
        read_zones_geojson(bytes(200 * 10**6), GRID)


def test_a_declared_wgs84_is_accepted():
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}
    assert len(read({**collection(feature(polygon(square()))), "crs": crs})) == 1


def test_a_self_intersecting_outline_is_repaired_and_it_is_said():
    bow_tie = [[X, Y], [X + 0.1, Y + 0.1], [X + 0.1, Y], [X, Y + 0.1], [X, Y]]
    zones = read(collection(feature(polygon(square(0.2))), feature(polygon(bow_tie))))
    assert zones.notes == ("Repaired, because the outline crosses or touches itself: feature 2.",)
    assert len(zones.polygons[1]) == 2
    parts = [shapely.Polygon(part[0]) for part in zones.polygons[1]]
    assert sum(part.area for part in parts) == pytest.approx(0.005)
    assert any(shapely.contains_xy(part, *GRID.to_lonlat(zones.points)[1]) for part in parts)


def test_many_repairs_are_counted():
    bow_tie = [[X, Y], [X + 0.1, Y + 0.1], [X + 0.1, Y], [X, Y + 0.1], [X, Y]]
    notes = read(collection(*[feature(polygon(bow_tie))] * 8)).notes
    assert notes[0].endswith("feature 5 and 3 more.")


def timed(document):
    data = json.dumps(document).encode()
    start = time.thread_time()
    zones = read_zones_geojson(data, GRID)
    return zones, time.thread_time() - start


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 1e-5])
def test_100_000_vertices_are_read_quickly_and_drawn_with_fewer(noise):
    zones, seconds = timed(polygon(circle(100_000, noise=noise)))
    assert seconds < 2.0
    assert sum(len(ring) for part in zones.polygons[0] for ring in part) < 2_000
    assert "of their 100,000 vertices" in zones.notes[-1]


@pytest.mark.nightly
def test_100_000_vertices_with_one_crossing_are_repaired_quickly():
    ring = circle(100_000, noise=1e-5)
    ring[5000], ring[5003] = ring[5003], ring[5000]
    zones, seconds = timed(polygon(ring))
    assert seconds < 3.0
    assert "Repaired" in zones.notes[0]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("n", [1_000, 100_000])
def test_a_scribble_is_refused_quickly(n):
    scribble = (np.random.default_rng(0).random((n, 2)) * 0.1 + [X, Y]).tolist()
    data = json.dumps(polygon(scribble)).encode()
    start = time.thread_time()
    with pytest.raises(ValueError, match="feature 1: its outline crosses itself too often"):
        read_zones_geojson(data, GRID)
    assert time.thread_time() - start < 8.0


def test_too_many_vertices_are_refused(monkeypatch):
    assert MAX_VERTICES == 1_000_000
    monkeypatch.setattr("dpot_core.datasets.geojson.MAX_VERTICES", 1_000)
    with pytest.raises(ValueError, match="has 1,001 vertices; at most 1,000"):
        read(polygon(circle(1_001)))
    assert len(read(polygon(circle(1_000)))) == 1


def test_too_many_zones_are_refused():
    with pytest.raises(ValueError, match="has 2,001 features; at most 2,000"):
        read(collection(*[feature(polygon(square()))] * (MAX_ZONES + 1)))


def test_zones_of_another_city_are_refused_with_their_distance():
    paris = [[2.3, 48.8], [2.4, 48.8], [2.4, 48.9], [2.3, 48.8]]
    with pytest.raises(ValueError, match=r"feature 2 lies 8,\d\d\d km from the middle of the city .* 1 of 2 zones"):
        read(collection(feature(polygon(square())), feature(polygon(paris))))


def test_swapped_coordinates_are_recognised():
    berlin = city_grid((13.2, 52.4, 13.6, 52.6), 10)
    swapped = [[52.5, 13.4], [52.51, 13.4], [52.51, 13.41], [52.5, 13.4]]
    with pytest.raises(ValueError, match="latitude and longitude look swapped"):
        read_zones_geojson(json.dumps(polygon(swapped)).encode(), berlin)


def test_names_are_plain_text_and_differ():
    texts = ["<img src=x onerror=alert(1)>", "a\x1b\u202eb", "a", "a", "", None, 12, {"no": 1}]
    zones = read(collection(*(feature(polygon(square(0.01 * i)), name=text) for i, text in enumerate(texts))))
    assert zones.names == (
        "<img src=x onerror=alert(1)>",
        "ab",
        "a",
        "a (2)",
        "Zone 5",
        "Zone 6",
        "12",
        "Zone 8",
    )
    assert "1 name that" in zones.notes[-1]


def test_features_without_geometry_are_left_out_and_said():
    zones = read(collection(feature(None), feature(polygon(square()), name="A")))
    assert zones.names == ("A",)
    assert zones.notes == ("Feature 1 has no geometry and was left out.",)


def test_nothing_is_written_to_disk(monkeypatch):
    def no_file(*args: object, **kwargs: object) -> None:
        raise AssertionError(f"a file was opened: {args}")

    data = json.dumps(polygon(square())).encode()
    monkeypatch.setattr("builtins.open", no_file)
    monkeypatch.setattr("os.open", no_file)
    assert len(read_zones_geojson(data, GRID)) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=20,
)


@given(st.sampled_from(["Polygon", "MultiPolygon"]), JSON, JSON)
def test_any_coordinates_give_zones_or_a_value_error(kind, coordinates, properties):
    document = {"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}}
    with pytest.raises(ValueError, match=r"\w"):
        read(document)


@given(
    st.lists(
        st.lists(st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1)), min_size=3, max_size=12),
        min_size=1,
        max_size=3,
    )
)
def test_any_rings_give_points_inside_or_a_value_error(rings):
    document = polygon(*([[X + a, Y + b] for a, b in ring] for ring in rings))
    try:
        zones = read(document)
    except ValueError as error:
        assert "feature 1" in str(error)
        return
    assert np.isfinite(zones.points).all()
    assert (zones.points > -15).all()
