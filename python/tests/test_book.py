"""The documents as a book: each stands in its contents once, says at its beginning what it is for, and all links lead somewhere."""

import re

import pytest

from conftest import ROOT

DOCS = ROOT / "docs"
SUMMARY = DOCS / "SUMMARY.md"
CHAPTERS = sorted(path for path in DOCS.rglob("*.md") if path != SUMMARY)
LINKED = [SUMMARY, *CHAPTERS, *ROOT.glob("*.md"), ROOT / "python/README.md", *ROOT.glob("crates/*/README.md"), *ROOT.glob("web/*/README.md")]


def named(path):
    return path.relative_to(ROOT).as_posix()


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", lambda code: re.sub(r"[\[\]()]", "c", code.group(0)), text)


def links(text):
    return re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", without_code(text))


def anchors(text):
    """The anchors of the headings, as forges and mdBook make them."""
    found, seen = set(), {}
    for heading in re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), flags=re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        seen[anchor] = seen.get(anchor, -1) + 1
        found.add(anchor if seen[anchor] == 0 else f"{anchor}-{seen[anchor]}")
    return found


def test_each_chapter_stands_in_the_contents_once():
    listed = links(SUMMARY.read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in CHAPTERS)


def test_the_book_is_made_of_the_documents():
    assert 'src = "docs"' in (ROOT / "book.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", LINKED, ids=named)
def test_links_lead_somewhere(path):
    for link in links(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), f"{named(path)}: {link}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{named(path)}: {link}"


# What experiments write begins with the command that makes it.
MADE = ["docs/results/anonymeter.md", "docs/results/pycanon.md"]
WRITTEN = [path for path in CHAPTERS if path.parent.parent.name != "results" and named(path) not in MADE]


@pytest.mark.parametrize("path", WRITTEN, ids=named)
def test_a_chapter_begins_with_whom_it_is_for(path):
    title, first, *_ = path.read_text(encoding="utf-8").split("\n\n", maxsplit=2)
    assert title.startswith("# ") and "\n" not in title
    assert first.startswith("For ")


def test_the_readme_opens_three_doors_within_two_screens():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 110
    for command in ("cargo xtask serve", "cargo xtask test", 'pip install "./python[pandas]"', "cargo build --release"):
        assert command in text
    assert re.search(r"^!\[.+\]\(docs/guide/.+\.png\)$", text, flags=re.MULTILINE)


def test_ten_questions_are_answered_one_click_from_the_readme():
    assert "docs/questions.md" in links((ROOT / "README.md").read_text(encoding="utf-8"))
    questions = re.split(r"^## ", (DOCS / "questions.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(questions) == 10
    for question in questions:
        assert question.split("\n")[0].endswith("?") and links(question), question


def test_anchors_are_those_of_forges():
    text = "# A title\n## `--flag`: what, and why?\n## A title\n```\n# no heading\n```\n"
    assert anchors(text) == {"a-title", "--flag-what-and-why", "a-title-1"}
