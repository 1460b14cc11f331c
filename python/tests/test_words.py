"""Spelling and style of what users and newcomers read: the documents, and the messages in English.

codespell looks for misspellings and proselint for bad habits of prose, both without a network; `words.txt` has the words that are right
here. The rules below are the project's own. Figures that experiments write (docs/results/*/) are checked for spelling only.
"""

import json
import re
import subprocess
import sys

import pytest

from conftest import ROOT

HERE = ROOT / "python/tests"
TOP = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PACKAGES = [ROOT / "python/README.md", *sorted(ROOT.glob("crates/*/README.md")), *sorted(ROOT.glob("web/*/README.md"))]
MESSAGES = [*sorted((ROOT / "crates/words/texts").rglob("en.txt")), ROOT / "web/ui/texts/en.txt"]
WRITTEN = [path for path in DOCS if path.parent.parent.name != "results"]

# Straight quotes, three dots and the letter x are what keyboards and terminals have.
OFF = ["typography"]

# What proselint finds and is right here, by check and text.
RIGHT = [
    # The least number that is possible, and the least whole number.
    ("uncomparables", "least"),
    # Counts of a worked example: A A A B B C.
    ("lexical_illusions", "A A A"),
    ("lexical_illusions", "B B"),
    # "For every".
    ("archaism", "for ever"),
    # "From 12,000 records on" is a number, not a date.
    ("dates_times.dates.dash_and_from", ""),
]

# Words that leave open who does what, and turns of phrase that are not English.
POOR = {
    r"\bwhoever\b": "name the actor",
    r"\bsomebody\b": "name the actor",
    r"\bwhat came of\b": "say how it ended",
    r"\bto be had\b": "say what is there",
    r"(?<!there )\b(is|are) none\b": "say what it is not",
    r"(?<!there )\b(is|are) no\b(?! (better|larger|less|longer|lower|more|one|smaller|worse)\b)": "is not a",
}

# The same in messages, where less room is left for what is meant.
POOR_MESSAGES = POOR | {
    r"\b(has|have) not(?=[,.:;]|$| (a|an|any|one|the|under)\b)": "does not have",
    r"\bmakes? no sense\b": "say what it must be",
    r"\bthe account of the workers?\b": "according to the worker",
    r"\bin the (mean|median)\b": "on average; median",
    r"\bheld against\b": "compared with",
    r"\bgo(es)? by (it|them|its|the (order|hierarchy))\b": "uses",
    r"^who (believes|knows|leaves)\b": "an attacker who; a person who",
    r"\bthe (effort|time) (is|was) (spent|up)\b": "effort budget exhausted; time limit reached",
}


def blank(found):
    return re.sub(r"[^\n]", " ", found.group(0))


def prose(text):
    """The text without code, links' targets and what the interface says, on the same lines."""
    text = re.sub(r"^```.*?^```", blank, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^ {4}.*$", blank, text, flags=re.MULTILINE)
    text = re.sub(r"`[^`]*`", lambda found: re.sub(r"[^\n]", "c", found.group(0)), text)
    text = re.sub(r"\"[^\"\n]*\"", blank, text)
    return re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)


def sentences(text):
    """The prose outside tables and headings."""
    return re.sub(r"^(\|.*|#.*)$", blank, prose(text), flags=re.MULTILINE)


def named(path):
    return path.relative_to(ROOT).as_posix()


def test_there_is_something_to_check():
    assert len(DOCS) > 80 and len(WRITTEN) > 45 and len(MESSAGES) == 3 and len(PACKAGES) > 9


def test_spelling():
    files = [named(path) for path in [*TOP, *DOCS, *PACKAGES, *MESSAGES]]
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare", "--ignore-words", HERE / "words.txt"]
    found = subprocess.run([*command, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout + found.stderr == ""


def test_a_misspelling_is_found(tmp_path):
    (tmp_path / "text.md").write_text("Teh table is anonymized.\n")
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare", "text.md"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Teh ==> The" in found.stdout


def linted(texts, folder):
    """What proselint finds in these texts: file, line, check and message."""
    checks = json.loads(lint("dump-config"))["checks"]
    (folder / "config.json").write_text(json.dumps({"checks": checks | dict.fromkeys(OFF, False)}))
    names = {}
    for number, (name, text) in enumerate(texts.items()):
        file = folder / f"{number}.md"
        file.write_text(text, encoding="utf-8")
        names[str(file.resolve())] = name
    said = json.loads(lint("check", "--config", folder / "config.json", "--output-format", "json", *names))
    for file, result in said["result"].items():
        for found in result["diagnostics"]:
            check, message = found["check_path"], found["message"]
            if not any(check.startswith(right) and text in message for right, text in RIGHT):
                yield f"{names[file.removeprefix('file://')]}:{found['pos'][0]}: {check}: {message}"


def lint(*arguments):
    command = [sys.executable, "-m", "proselint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_style(tmp_path):
    texts = {named(path): sentences(path.read_text(encoding="utf-8")) for path in [*TOP, *WRITTEN, *PACKAGES]}
    assert list(linted(texts, tmp_path)) == []


def test_bad_style_is_found(tmp_path):
    found = list(linted({"text.md": "It is a very very unique result.\n"}, tmp_path))
    assert any("text.md" in line and "lexical_illusions" in line for line in found)


# The changelog is as it was written.
@pytest.mark.parametrize("path", [path for path in [*TOP, *WRITTEN, *PACKAGES] if path.name != "CHANGELOG.md"], ids=named)
def test_the_actor_is_named(path):
    text = prose(path.read_text(encoding="utf-8"))
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, advice in POOR.items():
            found = re.search(pattern, line, flags=re.IGNORECASE)
            assert not found, f"{named(path)}:{number}: {found.group(0)!r}: {advice}"


def poor(text):
    """What a message says poorly: the words, and what to say instead."""
    for pattern, advice in POOR_MESSAGES.items():
        if found := re.search(pattern, text, flags=re.IGNORECASE):
            yield found.group(0), advice


@pytest.mark.parametrize("path", MESSAGES, ids=named)
def test_messages_are_plain(path):
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if " = " in line and not line.startswith("#")]
    assert len(lines) > 300
    found = {line: list(poor(line.split(" = ", 1)[1])) for line in lines}
    assert {line: words for line, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "text",
    [
        "{text} is no number",
        "for somebody who knows it",
        "whoever runs the worker",
        "the bound of blocks is none of the whole problem",
        "which its hierarchy has not",
        "t = {value} makes no sense: it must lie between 0 and 1",
        "by the account of the worker: stopped",
        "relative error {mean} in the mean",
        "who believes that no value changes",
        "a condition goes by the order of the colours",
        "the effort was spent; a better table may exist",
    ],
)
def test_a_poor_message_is_found(text):
    assert list(poor(text))


def test_a_plain_message_is_left_alone():
    assert list(poor("there is no column {name}; the penalty is no larger there, and the bound has not risen for {time}")) == []
