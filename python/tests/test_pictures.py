"""What a notebook shows of a release: the figures behind its pictures, counted again from source and published bytes."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import lookalike as la
from lookalike._pictures import BEFORE, group_bins

QUASI = ["sex", "age", "postcode"]


def test_the_comparison_is_that_of_source_and_published_table(hospital):
    release = la.anonymize(hospital, quasi=QUASI, sensitive="diagnosis", m=3, seed=1, effort=0.5)
    groups = hospital.groupby(QUASI).size()
    expected = {size: size * count for size, count in Counter(groups).items()}
    assert dict(map(tuple, release.comparison["groups"])) == expected
    published = release.table.to_pandas()
    sizes = Counter(published.groupby("class").size())
    assert dict(map(tuple, release.comparison["classes"])) == dict(sizes)
    columns = release.comparison["columns"]
    assert set(columns) == {*QUASI, "diagnosis"}
    for bins in columns.values():
        for side in ("before", "after"):
            assert abs(sum(bin[side] for bin in bins) - 1) < 1e-9
    shares = hospital["diagnosis"].value_counts(normalize=True)
    for bin in columns["diagnosis"]:
        assert bin["before"] == bin["after"], "it is published unchanged"
        if bin["label"]:
            assert abs(bin["before"] - shares[bin["label"]]) < 1e-9


def test_the_pictures_are_well_formed_and_their_bars_are_the_figures(hospital):
    hospital = hospital.assign(postcode="<" + hospital["postcode"] + ">")
    release = la.anonymize(hospital, quasi=QUASI, k=5, seed=1, effort=0.5)
    shown = release._repr_html_()
    drawings = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", shown)]
    assert len(drawings) == 2 + len(QUASI)
    loss, bound = drawings[0]
    assert abs(float(bound.get("width")) / float(loss.get("width")) - release.bound.value / release.loss) < 1e-3
    before = [pair for pair in map(tuple, release.comparison["groups"])]
    alone = sum(rows for size, rows in before if size == 1)
    assert drawings[1].get("aria-label").startswith(f"{alone} were alone in the source")
    bars = [float(bar.get("height")) for bar in drawings[1] if bar.get("fill") == BEFORE]
    begins = group_bins(before, [(size, size * n) for size, n in release.comparison["classes"]], 5)
    assert len(bars) == len(begins) and 5 in begins
    counted = [sum(rows for size, rows in before if begin <= size < end) for begin, end in zip(begins, [*begins[1:], 10**9])]
    assert [bar > 0 for bar in bars] == [rows > 0 for rows in counted]


def test_bins_leave_nobody_left_of_the_least_size():
    for least, largest in [(1, 1), (2, 2), (12, 30), (1000, 30_000), (3, 1_000_000)]:
        begins = group_bins([(1, 4)], [(least, 10), (largest, 7)], least)
        assert least in begins and begins[0] == 1 and begins == sorted(set(begins)) and len(begins) <= 10
