"""The pictures of a result, as the page has them: the loss beside its bound, people by the size of their group, each column before
and after. SVG, so that a notebook shows them without any library; for the data holder, since they show the source."""

from __future__ import annotations

import html
import math
from typing import Any, Iterable

BEFORE, AFTER, PROVEN = "#77807f", "#0b5f5f", "#cfe3e0"

# Bars of a picture, columns that are drawn, and values of each, at most.
_BINS, _COLUMNS, _VALUES = 10, 6, 12


def pictures(release: Any) -> str:
    """All pictures of a release: HTML."""
    comparison = release.comparison
    drawn = [_bound(release), _groups(release.report, comparison), *_columns(comparison["columns"])]
    figures = "".join(f'<figure style="margin:0">{figure}</figure>' for figure in drawn if figure)
    legend = f'<p style="margin:0">{_key(BEFORE, "before")} {_key(AFTER, "published")} (not to be published: these show the source)</p>'
    return f'{legend}<div style="display:flex;flex-wrap:wrap;gap:1.5rem">{figures}</div>'


def _key(colour: str, text: str) -> str:
    return f'<span style="display:inline-block;width:.8em;height:.8em;background:{colour}"></span> {text}'


def _bound(release: Any) -> str:
    bound, loss = release.bound, release.loss
    if bound is None or loss <= 0:
        return ""
    title = f"loss {loss:.4g}, and no table can lose less than {_down(bound.value):.4g}"
    share = max(0.0, min(1.0, bound.value / loss))
    bars = [(0.0, 0.0, 260.0, 18.0, AFTER), (0.0, 22.0, 260.0 * share, 18.0, PROVEN)]
    return _figure(title, bars, 260, 40, ["0", f"{loss:.4g}"])


def _down(value: float) -> float:
    """Four digits, rounded down: a bound is at least what is said."""
    if value <= 0:
        return 0.0
    unit = 10.0 ** (3 - math.floor(math.log10(value)))
    return math.floor(value * unit + 1e-6) / unit


def _groups(report: dict[str, Any], comparison: dict[str, Any]) -> str:
    if report.get("persons"):
        persons = report["persons"]
        return f"<figcaption>{persons['min_in_class']} to {persons['max_in_class']} persons in each class</figcaption>"
    before = [tuple(pair) for pair in comparison["groups"]]
    after = [(size, size * classes) for size, classes in comparison["classes"]]
    least = report["risk"]["smallest_group"]
    alone = sum(rows for size, rows in before if size == 1)
    title = f"{alone} were alone in the source; everybody published is among {least} at least"
    begins = group_bins(before, after, least)
    ends = [*[begin - 1 for begin in begins[1:]], math.inf]
    labels = [_size(begin, end) for begin, end in zip(begins, ends)]
    pairs = [(_within(before, begin, end), _within(after, begin, end)) for begin, end in zip(begins, ends)]
    return _bars(title, labels, pairs)


def group_bins(before: list[tuple[int, int]], after: list[tuple[int, int]], least: int) -> list[int]:
    """Where bins of sizes begin: at 1, 2, 5, 10, 20, 50, ... and at the least size that is published. The last has no end."""
    largest = max((size for size, _ in [*before, *after]), default=1)
    powers = range(len(str(largest)))
    for steps in ([1, 2, 5], [1]):
        begins = {step * 10**power for power in powers for step in steps}
        begins = sorted({begin for begin in begins if begin <= largest} | {max(least, 1)})
        if sum(begin <= least for begin in begins) < _BINS:
            break
    return begins[:_BINS]


def _within(pairs: Iterable[tuple[int, int]], begin: int, end: float) -> int:
    return sum(rows for size, rows in pairs if begin <= size <= end)


def _size(begin: int, end: float) -> str:
    if math.isinf(end):
        return f"{begin}+"
    return str(begin) if begin == end else f"{begin}–{int(end)}"


def _columns(columns: dict[str, list[dict[str, Any]]]) -> Iterable[str]:
    """One picture for each column, those that changed most first."""
    shift = {name: sum(abs(bin["after"] - bin["before"]) for bin in bins) / 2 for name, bins in columns.items()}
    for name in sorted(shift, key=lambda name: -shift[name])[:_COLUMNS]:
        bins = columns[name][:_VALUES]
        if not bins:
            continue
        labels = ["missing" if bin["missing"] else bin["label"] or "others" for bin in bins]
        changed = f"{100 * shift[name]:.2g} % counted elsewhere" if shift[name] >= 0.0005 else "unchanged"
        yield _bars(f"{name}: {changed}", labels, [(bin["before"], bin["after"]) for bin in bins])


def _bars(title: str, labels: list[str], pairs: list[tuple[float, float]]) -> str:
    """Two bars for each label, before and after."""
    high, wide = 90.0, 260.0 / max(len(labels), 4)
    most = max((max(pair) for pair in pairs), default=0) or 1
    bars = []
    for place, pair in enumerate(pairs):
        for side, (value, colour) in enumerate(zip(pair, (BEFORE, AFTER))):
            height = high * value / most
            bars.append((wide * (place + 0.08 + 0.44 * side), high - height, 0.4 * wide, height, colour))
    return _figure(title, bars, 260, high, [labels[0], labels[-1]] if len(labels) > 1 else labels)


def _figure(title: str, bars: list[tuple[float, float, float, float, str]], width: float, height: float, ends: list[str]) -> str:
    rects = "".join(
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{colour}"/>' for x, y, w, h, colour in bars
    )
    axis = '<span style="display:flex;justify-content:space-between">' + "".join(f"<span>{html.escape(end)}</span>" for end in ends) + "</span>"
    said = html.escape(title, quote=True)
    picture = f'<svg role="img" aria-label="{said}" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">{rects}</svg>'
    return f'<figcaption style="max-width:{width:g}px">{said}</figcaption>{picture}{axis}'
