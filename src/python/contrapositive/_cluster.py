"""Claims as tasks of a Ray cluster, each on a worker of its own."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path

from . import _native
from ._progress import Progress

#: How often a task is done again whose worker died.
RETRIES = 5


def fixtures() -> str:
    """The data sets and witnesses that come with the package."""
    return str(resources.files(__package__) / "fixtures")


def _build() -> str:
    """Which build of the library this is: results of two builds do not belong together."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()


def recorded_claim(id: str, budget: str, seed: int) -> tuple[str, bytes]:
    """What a worker does: one claim, and the build by which it was done."""
    return _build(), _native.recorded(id, budget, seed, fixtures())


def on_ray(ids: list[str], budget: str, seed: int, progress: Progress | None) -> list[bytes]:
    """The records of claims, in their order."""
    try:
        import ray
    except ImportError as error:
        raise ImportError("engine='ray' needs Ray: pip install 'contrapositive[ray]'") from error
    if not ray.is_initialized():
        ray.init()
    # A task is promised one processor, and keeps to it.
    environment = {"env_vars": {"RAYON_NUM_THREADS": "1"}}
    task = ray.remote(num_cpus=1, max_retries=RETRIES, runtime_env=environment)(recorded_claim)
    waiting = {task.remote(id, budget, seed): id for id in ids}
    build, records = _build(), dict[str, bytes]()
    try:
        while waiting:
            (ready,), _ = ray.wait(list(waiting), num_returns=1)
            other, record = ray.get(ready)
            id = waiting.pop(ready)
            if other != build:
                raise RuntimeError(f"{id} was run by another build of contrapositive than the one here")
            records[id] = record
            if progress is not None:
                progress("claims", len(records) / len(ids), id)
    finally:
        for left in waiting:
            ray.cancel(left, force=True)
    return [records[id] for id in ids]
