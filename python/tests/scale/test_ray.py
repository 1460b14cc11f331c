"""Ray with two nodes publishes what one process publishes, whatever the blocks and whoever is killed."""

import os

import pytest

pytest.importorskip("ray", reason="ray is not installed")

import psutil
import ray
from tables import BLOCK_ROWS, GIVEN, PART_ROWS, Killer, published, run_examples
from lookalike import SettingsError
from lookalike import ray as on_ray
from ray.cluster_utils import Cluster

TOLD = GIVEN | {"block_rows": BLOCK_ROWS, "part_rows": PART_ROWS}


@pytest.fixture(scope="module")
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    node = {"num_cpus": 1, "object_store_memory": 150 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=node)
    cluster.add_node(**node)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, runtime_env={"env_vars": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}})
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def workers():
    """The processes at work of the nodes that this test started."""
    for process in psutil.Process().children(recursive=True):
        try:
            title = " ".join(process.cmdline())
        except psutil.Error:
            continue
        if title.startswith("ray::") and ("MapBatches" in title or "Shuffle" in title):
            yield process.pid


def test_a_path_in_other_files(cluster, shuffled, expected, tmp_path):
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2
    report = on_ray.anonymize(shuffled, tmp_path / "out", **TOLD)
    assert report["audit"]["passed"] and published(tmp_path / "out") == expected


def test_a_dataset_in_other_blocks(cluster, shuffled, expected, tmp_path):
    dataset = ray.data.read_parquet(str(shuffled)).repartition(13)
    on_ray.anonymize(dataset, tmp_path / "out", **TOLD)
    assert published(tmp_path / "out") == expected


def test_a_worker_is_killed_in_the_middle(cluster, shuffled, expected, tmp_path):
    with Killer((tmp_path / "out/_unaudited").exists, workers) as killer:
        on_ray.anonymize(shuffled, tmp_path / "out", **TOLD)
    assert killer.killed and published(tmp_path / "out") == expected


def test_what_cannot_be_is_refused_before_a_row_is_read(cluster, shuffled, tmp_path):
    with pytest.raises(SettingsError) as refused:
        on_ray.anonymize(shuffled, tmp_path / "out", suppress={"price": 1.0}, **TOLD)
    assert refused.value.code.startswith("core.Conflict") and not (tmp_path / "out").exists()


def test_what_the_documents_show(people, cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_examples("ray", people, tmp_path)
