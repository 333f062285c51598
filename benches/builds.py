#!/usr/bin/env python3
"""Measure what the seams between the packages buy, in clones of this repository of their own.

`python3 benches/builds.py` prints a table; with `--write` it replaces the one in ARCHITECTURE.md. Everything is compiled from nothing, so
that it takes half an hour, on a machine that does nothing else; the crates must be in cargo's own store (`cargo fetch`).
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
FROM, TO = "<!-- builds: written by benches/builds.py -->", "<!-- end of builds -->"

# One line of one claim: a remark that is printed on its page.
CLAIM = "ren2023.lemma-b2"
EDITED = "verify/ren2023/lemma_b2.rs"


def compiled(log: Path, compiler: list[str]) -> int:
    """Compiles one crate for cargo, and writes down its package and its processor seconds."""
    status = subprocess.run(compiler, close_fds=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("a") as file:
        file.write(f"{os.environ.get('CARGO_PKG_NAME', '')}\t{used.ru_utime + used.ru_stime}\n")
    return status


def by_package(log: Path) -> dict[str, float]:
    """Processor seconds of the compiler: one entry for each package of ours, one for all others."""
    found: dict[str, float] = {}
    for line in log.read_text().splitlines():
        package, spent = line.split("\t")
        if not package:
            continue
        ours = package.startswith("contrapositive") or package == "classics"
        name = package.removeprefix("contrapositive-") if ours else "crates of others"
        found[name] = found.get(name, 0.0) + float(spent)
    return found


def seconds(command: list[str], folder: Path, log: Path | None = None) -> tuple[float, float]:
    """Wall-clock and processor seconds of a command that must succeed; with `log`, those of each crate are written there."""
    environment = {k: v for k, v in os.environ.items() if k not in ("CARGO_INCREMENTAL", "CARGO_TARGET_DIR")}
    if log is not None:
        wrapper = log.with_suffix(".sh")
        wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).resolve()} --compile {log} "$@"\n')
        wrapper.chmod(0o755)
        environment["RUSTC_WRAPPER"] = str(wrapper)
    before, start = os.times(), time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    elapsed, after = time.monotonic() - start, os.times()
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stdout[-8000:]}{done.stderr[-2000:]}")
    busy = after.children_user - before.children_user + after.children_system - before.children_system
    return elapsed, busy


def clock(elapsed: float) -> str:
    whole = round(elapsed)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60} s"


def measured(scratch: Path) -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    """What the commands take, and what the packages take to compile for the first and then for the second command of the README."""
    clone = scratch / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    rows = []

    # What `cargo run` compiles.
    first, second = scratch / "build.tsv", scratch / "test.tsv"
    built, busy = seconds(["cargo", "build", "--offline", "--quiet", "--bin", "contrapositive"], clone, first)
    rows.append(("the program, from nothing", clock(built), clock(busy)))
    size = (clone / "target/debug/contrapositive").stat().st_size
    rows.append(("its size", f"{size / 1e6:.1f} MB", ""))
    judged, judging = seconds(["target/debug/contrapositive", "verify", "--fresh"], clone)
    rows.append(("all claims at the standard budget, REPORT.md and its pages", clock(judged), clock(judging)))
    rows.append(("both, the README's first command: a fresh machine to REPORT.md", clock(built + judged), clock(busy + judging)))
    tested, testing = seconds(["cargo", "test", "--offline", "--quiet"], clone, second)
    rows.append(("then the README's second command, the tests", clock(tested), clock(testing)))

    run = ["cargo", "run", "--offline", "--quiet", "--", "verify", CLAIM]
    run += ["--fresh", "--no-journal", "--output", str(scratch / "report.md")]
    file = clone / EDITED
    text = file.read_text()
    inside = text.index('"', text.index(".remark(")) + 1
    file.write_text(text[:inside] + "Edited. " + text[inside:])
    elapsed, busy = seconds(run, clone)
    rows.append((f"one edited line in `{CLAIM}`, compiled and judged again", clock(elapsed), clock(busy)))

    stranger = scratch / "stranger"
    (stranger / "src").mkdir(parents=True)
    (stranger / "src/main.rs").write_text((clone / "examples/first_lemma.rs").read_text())
    (stranger / "Cargo.toml").write_text(
        f'[package]\nname = "stranger"\nversion = "0.1.0"\nedition = "2024"\n\n'
        f'[dependencies]\ncontrapositive = {{ path = "{clone}" }}\nserde = {{ version = "1", features = ["derive"] }}\n'
    )
    # The clone's versions of everything.
    (stranger / "Cargo.lock").write_text((clone / "Cargo.lock").read_text())
    elapsed, busy = seconds(["cargo", "build", "--offline", "--quiet"], stranger)
    what = "`examples/first_lemma.rs` as a crate that depends on the engine alone, from nothing"
    rows.append((what, clock(elapsed), clock(busy)))
    elapsed, busy = seconds(["cargo", "build", "--release", "--offline", "--quiet"], stranger)
    rows.append(("the same with `--release`", clock(elapsed), clock(busy)))

    program, tests = by_package(first), by_package(second)
    packages = sorted(program | tests, key=lambda name: -program.get(name, 0.0) - tests.get(name, 0.0))
    return rows, [(name, clock(program.get(name, 0.0)), clock(tests.get(name, 0.0))) for name in packages]


def table(rows: list[tuple[str, str, str]], by_crate: list[tuple[str, str, str]]) -> str:
    where = f"{os.cpu_count()} processors, {platform.machine()}"
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    lines = [f"Measured by `python3 benches/builds.py --write` with rustc {version} on {where}.", ""]
    lines += ["| what | by the clock | of the processors |", "|---|---|---|"]
    lines += [f"| {what} | {elapsed} | {busy} |" for what, elapsed, busy in rows]
    lines += ["", "Of the processors, in the compiler:", "", "| package | for the program | then for the tests |", "|---|---|---|"]
    lines += [f"| {package} | {program} | {tests} |" for package, program, tests in by_crate]
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:2] == ["--compile"]:
        sys.exit(compiled(Path(sys.argv[2]), sys.argv[3:]))
    with tempfile.TemporaryDirectory() as scratch:
        text = table(*measured(Path(scratch)))
    print(text)
    if "--write" in sys.argv[1:]:
        page = PAGE.read_text()
        start, end = page.index(FROM) + len(FROM), page.index(TO)
        # A page that is there is replaced by a whole one, or not at all.
        beside = PAGE.with_name(f".{PAGE.name}.part")
        beside.write_text(page[:start] + "\n" + text + "\n" + page[end:])
        os.replace(beside, PAGE)


if __name__ == "__main__":
    main()
