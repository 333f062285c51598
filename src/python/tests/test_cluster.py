"""The catalogue on a Ray cluster of several workers on this machine, one of which is killed in the middle."""

import os
import signal
from pathlib import Path

import pytest
import ray

import contrapositive as cp
from contrapositive import _cluster

CLAIMS = ("merad2020.lemma-*", "merad2020.prop-*", "ren2023.lemma-b*")


@pytest.fixture
def cluster():
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def _parent(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("PPid:")[1].split()[0])


def _is_ours(process: int) -> bool:
    while process > 1:
        if process == os.getpid():
            return True
        process = _parent(process)
    return False


def _working() -> list[int]:
    """Workers of our own cluster that are at a claim."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            title = (place / "cmdline").read_bytes()
            if title.startswith(b"ray::recorded_claim") and _is_ours(int(place.name)):
                found.append(int(place.name))
        except OSError:
            # It has ended meanwhile.
            continue
    return found


def test_a_killed_worker_changes_nothing(cluster):
    here = cp.verify(*CLAIMS)
    killed = []

    def kill(stage, share, known):
        if not killed and (working := _working()):
            os.kill(working[0], signal.SIGKILL)
            killed.append(working[0])

    there = cp.verify(*CLAIMS, engine="ray", progress=kill)
    assert killed, "no worker was met at its work"
    assert there.to_dict() == here.to_dict()
    assert [c.page for c in there.claims.values()] == [c.page for c in here.claims.values()]


def test_another_build_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(_cluster, "_build", lambda: "another")
    with pytest.raises(RuntimeError, match="another build"):
        cp.verify("merad2020.lemma-4", engine="ray")


def test_what_is_no_engine_is_refused():
    with pytest.raises(ValueError, match="^engine"):
        cp.verify("merad2020.lemma-4", engine="steam")
    with pytest.raises(ValueError, match="names none"):
        cp.verify("nobody.*", engine="ray")
