"""Commands on a Ray cluster of two nodes, of which workers are killed while they play."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.processes import Process

DUEL = str(Path(__file__).parent / "duel")
PLAYED = ["compare", "roma", "--new", "first_gaps=starter_only", "--margin", "0.5", "-n", "3000"]

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform != "linux", reason="processes in /proc")]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two nodes on this machine, with a processor each."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    try:
        yield made
    finally:
        made.shutdown()


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "rulewright", *words]


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(path.parent.name))
    return found


def workers(cluster: Any) -> list[int]:
    """The processes of both nodes that play."""
    raylets = [node.all_processes["raylet"][0].process.pid for node in cluster.list_all_nodes()]
    found = []
    for pid in (child for raylet in raylets for child in children(raylet)):
        try:
            title = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::run"):
            found.append(pid)
    return found


def test_a_command_whose_workers_are_killed_says_the_same(cluster: Any) -> None:
    alone = subprocess.run(command(*PLAYED), capture_output=True, text=True, check=False)
    words = command(*PLAYED, "--cluster", cluster.address)
    killed: list[int] = []
    with Process(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 120
        while process.poll() is None and len(killed) < 2 and time.monotonic() < until:
            for pid in workers(cluster)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                time.sleep(3)
            time.sleep(0.2)
        output, complaint = process.communicate(timeout=300)
    assert len(killed) == 2
    assert (process.returncode, output) == (alone.returncode, alone.stdout), complaint


def test_a_cluster_that_ends_keeps_what_was_played(cluster: Any) -> None:
    words = command("compare", "roma", "--new", "first_gaps=starter_only", "--margin", "0.1")
    words += ["--cluster", cluster.address]
    with Process(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 120
        while not workers(cluster) and time.monotonic() < until:
            time.sleep(0.2)
        time.sleep(12)
        cluster.shutdown()
        output, complaint = process.communicate(timeout=300)
    assert process.returncode == 1, complaint
    assert "Traceback" not in complaint
    assert "play ended early: these are the pairs that were finished" in output
    assert "error[C494]" in complaint
