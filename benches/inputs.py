"""What `contrapositive bounds` takes for files as people have them: seconds and peak memory, reading included.

Makes the files in a folder of its own, runs the program on each, and prints a table in Markdown; `--write` puts it between the two marks in
docs/embeddings.md. Needs NumPy; the row of Parquet needs pyarrow, that of Python the package itself, and each is left out where that is missing.

usage: python benches/inputs.py [--program target/release/contrapositive] [--beside "what else ran"] [--write] [PART OF A NAME ...]
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
BEGIN = "<!-- written by `python benches/inputs.py --write` -->"
END = "<!-- end of what is written -->"
#: On unit vectors.
OPTIONS = ["--temperature", "0.2", "--normalize"]


def mixture(n, d, classes, dtype=np.float32, seed=0):
    """Points about random centres on the sphere, in pieces, so that the maker needs no more memory than the file."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((classes, d)).astype(np.float32)
    points = np.empty((n, d), dtype=dtype)
    for first in range(0, n, 65536):
        last = min(first + 65536, n)
        part = 3 * rng.standard_normal((last - first, d), dtype=np.float32)
        part += centres[np.arange(first, last) % classes]
        points[first:last] = part / np.linalg.norm(part, axis=1, keepdims=True)
    return points, (np.arange(n) % classes).astype(np.int32)


def saved(folder, points, labels):
    np.save(folder / "x.npy", points)
    np.save(folder / "y.npy", labels)
    return [str(folder / "x.npy"), str(folder / "y.npy")]


def half(folder):
    return saved(folder, *mixture(20_000, 128, 10, np.float16)) + OPTIONS


def pixels(folder):
    images = ROOT / "fixtures/mnist5k"
    return [str(images / "images-idx3-ubyte.gz"), str(images / "labels-idx1-ubyte.gz"), "--pixels"]


def singletons(folder):
    points, _ = mixture(5000, 64, 10)
    return saved(folder, points, np.arange(5000)) + OPTIONS


def classes(folder):
    return saved(folder, *mixture(50_000, 64, 10_000)) + OPTIONS


def million(folder):
    return saved(folder, *mixture(1_000_000, 128, 10)) + OPTIONS + ["--negatives", "255"]


def views(folder, n):
    points, _ = mixture(n, 128, 10)
    other, _ = mixture(n, 128, 10, seed=1)
    np.save(folder / "a.npy", points)
    np.save(folder / "b.npy", points + np.float32(0.3) * other)
    return ["--views", str(folder / "a.npy"), str(folder / "b.npy")] + OPTIONS


def csv(folder):
    points, labels = mixture(20_000, 64, 10)
    names = ",".join(f"x{k}" for k in range(64)) + ",label"
    table = np.column_stack([points.astype(np.float64), labels])
    np.savetxt(folder / "data.csv", table, delimiter=",", header=names, comments="", fmt=["%.7g"] * 64 + ["%d"])
    return [str(folder / "data.csv"), str(folder / "data.csv:label")] + OPTIONS


def parquet(folder):
    import pyarrow
    import pyarrow.parquet

    points, labels = mixture(20_000, 64, 10)
    columns = {f"x{k}": points[:, k] for k in range(64)} | {"label": labels}
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "data.parquet")
    return [str(folder / "data.parquet"), str(folder / "data.parquet:label")] + OPTIONS


PYTHON = """
import sys, numpy as np, contrapositive as cp
x, y = np.load(sys.argv[1]), np.load(sys.argv[2])
print(cp.bounds(x, y, temperature=0.2, normalize=True).conclusion)
"""


def from_python(folder):
    if subprocess.run([sys.executable, "-c", "import contrapositive"], capture_output=True, check=False).returncode:
        raise ImportError("contrapositive")
    return [sys.executable, "-c", PYTHON] + saved(folder, *mixture(20_000, 128, 10))


#: Name, files and options, and what it is to come to: seconds, and megabytes.
ROWS = [
    ("float16 `.npy`, 20 000 x 128", half, 60, 200),
    ("raw pixels 0 to 255, IDX in gzip, 5000 x 784", pixels, 60, 300),
    ("5000 classes of one point, 5000 x 64", singletons, 10, 200),
    ("10 000 classes, 50 000 x 64", classes, 60, 300),
    ("float32 `.npy`, 1e6 x 128, N = 255", million, 300, 3000),
    ("views, exactly, 20 000 x 128", lambda folder: views(folder, 20_000), 60, 300),
    ("views, sampled, 100 000 x 128", lambda folder: views(folder, 100_000), 60, 1000),
    ("CSV, 20 000 x 64", csv, 60, 200),
    ("Parquet, 20 000 x 64", parquet, 60, 200),
    ("Python, float32 array, 20 000 x 128", from_python, 60, 300),
]


def made(number, folder):
    """The command of a row, its files made by a process of its own: a program starts with the memory of who starts it as its peak."""
    with multiprocessing.Pool(1) as pool:
        return pool.apply(make_row, (number, folder))


def make_row(number, folder):
    return ROWS[number][1](folder)


def measured(command):
    """Seconds, seconds of all processors together, megabytes at the peak, and the first words of the answer."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        told = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ...: status {process.returncode}")
    return (
        seconds,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        told.split(".")[0].split(":")[0].split(" pairs")[0],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "target/release/contrapositive"))
    parser.add_argument("--beside", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    lines = ["| input | seconds | aim | seconds of processors | peak memory | aim |", "|---|---|---|---|---|---|"]
    missed = []
    for number, (name, _, most_seconds, most_megabytes) in enumerate(ROWS):
        if arguments.parts and not any(part in name for part in arguments.parts):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                words = made(number, Path(folder))
            except ImportError as error:
                print(f"{name}: left out, {error}", file=sys.stderr)
                continue
            command = words if words[0] == sys.executable else [arguments.program, "bounds", *words]
            seconds, work, megabytes, answer = measured(command)
        print(
            f"{name}: {seconds:.1f} s, {work:.1f} s of processors, {megabytes:.0f} MB, {answer}",
            file=sys.stderr,
            flush=True,
        )
        cells = (name, f"{seconds:.1f}", most_seconds, f"{work:.1f}", f"{megabytes:.0f} MB", f"{most_megabytes} MB")
        lines.append("| " + " | ".join(map(str, cells)) + " |")
        if seconds > most_seconds or megabytes > most_megabytes:
            missed.append(name)
    lines.append("")
    told = "All aims are met." if not missed else "Missed: " + "; ".join(missed) + "."
    if arguments.beside:
        told += f" Measured beside {arguments.beside}."
    lines.append(told)
    text = "\n".join(lines)
    print(text)
    if arguments.write:
        page = ROOT / "docs/embeddings.md"
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        _, after = rest.split(END)
        page.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
