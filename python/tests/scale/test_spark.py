"""Spark with two executors publishes what one process publishes, whatever the partitions and whoever is killed."""

import os
import shutil
import sys

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
if not shutil.which("java"):
    pytest.skip("there is no java", allow_module_level=True)

import psutil
import pyspark
from tables import BLOCK_ROWS, GIVEN, PART_ROWS, Killer, published, run_examples
from lookalike import SettingsError, spark

TOLD = GIVEN | {"block_rows": BLOCK_ROWS, "part_rows": PART_ROWS}


@pytest.fixture(scope="module")
def session():
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = pyspark.sql.SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executorEnv.PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.config("spark.sql.shuffle.partitions", "8").getOrCreate()
    yield session
    session.stop()


def executors(session):
    """The processes of this session's executors."""
    told = session.sparkContext.applicationId
    for process in psutil.process_iter(["cmdline"]):
        line = process.info["cmdline"] or []
        if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in line and told in line:
            yield process.pid


def test_there_are_two_executors(session):
    session.sparkContext.parallelize(range(4), 4).count()
    assert len(list(executors(session))) == 2


def test_a_path_in_other_files(session, shuffled, expected, tmp_path):
    report = spark.anonymize(shuffled, tmp_path / "out", spark=session, private=str(tmp_path / "private.json"), **TOLD)
    assert published(tmp_path / "out") == expected
    assert report["audit"]["passed"] and (tmp_path / "private.json").stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("partitions", [1, 41])
def test_a_frame_in_other_partitions(session, shuffled, expected, tmp_path, partitions):
    frame = session.read.parquet(str(shuffled)).repartition(partitions, "age")
    spark.anonymize(frame, tmp_path / "out", spark=session, **TOLD)
    assert published(tmp_path / "out") == expected


def test_an_executor_is_killed_in_the_middle(session, shuffled, expected, tmp_path):
    at_work = tmp_path / "out/_unaudited/blocks/_temporary"
    with Killer(at_work.exists, lambda: executors(session)) as killer:
        spark.anonymize(shuffled, tmp_path / "out", spark=session, **TOLD)
    assert killer.killed and published(tmp_path / "out") == expected


def test_what_cannot_be_is_refused_before_a_row_is_read(session, shuffled, tmp_path):
    with pytest.raises(SettingsError) as refused:
        spark.anonymize(shuffled, tmp_path / "out", spark=session, suppress={"price": 1.0}, **TOLD)
    assert refused.value.code.startswith("core.Conflict") and not (tmp_path / "out").exists()


def test_what_the_documents_show(people, session, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_examples("spark", people, tmp_path)
