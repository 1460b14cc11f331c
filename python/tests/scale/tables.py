"""Tables for engines, and what the command line publishes of them out of core."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pyarrow
import pyarrow.csv
import pytest
from pyarrow import parquet

from lookalike import _core

ROOT = Path(__file__).resolve().parents[3]
ROWS = int(os.environ.get("LOOKALIKE_SCALE_ROWS", "40000"))
GIVEN = {"quasi": ["age", "city", "income"], "sensitive": "disease", "m": 4, "seed": 11, "effort": 0.05}
BLOCK_ROWS = 1000
PART_ROWS = 9000


@pytest.fixture(scope="session")
def people():
    cities = ["Bath", "Hull", "Kent", "Rye", "Ely"]
    return pyarrow.table(
        {
            "age": [18 + i * 7919 % 71 for i in range(ROWS)],
            "city": [cities[i * 7 % 31 % 5] for i in range(ROWS)],
            "income": [900 + i * 104729 % 9001 for i in range(ROWS)],
            "disease": [f"d{i * 13 % 23}" for i in range(ROWS)],
        }
    )


@pytest.fixture(scope="session")
def expected(people, tmp_path_factory):
    """The bytes that the command line publishes."""
    program = os.environ.get("LOOKALIKE_BIN") or shutil.which("lookalike")
    if not program:
        pytest.skip("the command line is not built (LOOKALIKE_BIN)")
    folder = tmp_path_factory.mktemp("expected")
    pyarrow.csv.write_csv(people, folder / "in.csv", pyarrow.csv.WriteOptions(quoting_style="needed"))
    command = [program, "anonymize", "in.csv", "--quasi", "age,city,income", "--sensitive", "disease", "--model", "m-invariance"]
    command += ["--m", "4", "--seed", "11", "--effort", "0.05", "--out-of-core", ".", "--block-rows", str(BLOCK_ROWS), "-o", "out.csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (folder / "out.csv").read_bytes()


@pytest.fixture
def shuffled(people, tmp_path):
    """The rows in other files, of other sizes and in another order."""
    folder = tmp_path / "shuffled"
    folder.mkdir()
    turned = people.take([at * 7919 % ROWS for at in range(ROWS)])
    for number, (low, high) in enumerate([(30_000, ROWS), (0, 17), (17, 30_000)]):
        parquet.write_table(turned.slice(low, high - low), folder / f"{number}.parquet", row_group_size=7000)
    return folder


def run_examples(engine, people, folder):
    """Runs what the README and docs/scale.md show of an engine, word for word."""
    zips = pyarrow.array([f"{at % 83:05}" for at in range(5000)])
    parquet.write_table(people.slice(0, 5000).append_column("zip", zips), folder / "people.parquet")
    for document in ("python/README.md", "docs/scale.md"):
        blocks = re.findall(r"```py\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL)
        (block,) = [block for block in blocks if f"from lookalike import {engine}" in block]
        names = {}
        exec(compile(block, document, "exec"), names)
        assert names["report"]["audit"]["passed"] and list((folder / "published").glob("part-*.parquet"))
        shutil.rmtree(folder / "published")


def published(out):
    """The parts one after another, as a CSV."""
    files = sorted(out.glob("part-*.parquet"))
    assert len(files) > 3 and {path.name for path in out.iterdir()} == {*(path.name for path in files), "report.json"}
    return _core.csv_of(pyarrow.concat_tables(parquet.read_table(path) for path in files))


class Killer(threading.Thread):
    """Kills a process as soon as ``find`` has one while ``ready`` says that it is at work."""

    def __init__(self, ready, find):
        super().__init__(daemon=True)
        self.ready, self.find, self.killed, self.stop = ready, find, None, False

    def run(self):
        while not self.stop and self.killed is None:
            time.sleep(0.02)
            if self.ready():
                for pid in self.find():
                    os.kill(pid, signal.SIGKILL)
                    self.killed = pid
                    break

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop = True
        self.join()
