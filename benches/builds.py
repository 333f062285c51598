#!/usr/bin/env python3
"""Measure what the seams between the packages buy, in clones of this repository of their own.

`python3 benches/builds.py` prints a table; with `--write` it replaces the one in ARCHITECTURE.md. Everything is compiled from nothing, so
that it takes half an hour, on a machine that does nothing else; the crates must be in cargo's own store (`cargo fetch`).
"""

from __future__ import annotations

import os
import platform
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

def seconds(command: list[str], folder: Path) -> tuple[float, float]:
    """Wall-clock and processor seconds of a command that must succeed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("CARGO_INCREMENTAL", "CARGO_TARGET_DIR")}
    before, start = os.times(), time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    elapsed, after = time.monotonic() - start, os.times()
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    busy = after.children_user - before.children_user + after.children_system - before.children_system
    return elapsed, busy


def clock(elapsed: float) -> str:
    whole = round(elapsed)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60} s"


def measured(scratch: Path) -> list[tuple[str, str, str]]:
    clone = scratch / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    rows = []

    # What `cargo run` compiles.
    built, busy = seconds(["cargo", "build", "--offline", "--quiet", "--bin", "contrapositive"], clone)
    rows.append(("the program, from nothing", clock(built), clock(busy)))
    size = (clone / "target/debug/contrapositive").stat().st_size
    rows.append(("its size", f"{size / 1e6:.1f} MB", ""))
    judged, judging = seconds(["target/debug/contrapositive", "verify", "--fresh", "--no-journal"], clone)
    rows.append(("all claims at the standard budget, REPORT.md and its pages", clock(judged), clock(judging)))
    rows.append(("both, the README's first command: a fresh machine to REPORT.md", clock(built + judged), clock(busy + judging)))
    tested, testing = seconds(["cargo", "test", "--offline", "--quiet"], clone)
    rows.append(("then the README's second command, the tests", clock(tested), clock(testing)))

    run = ["cargo", "run", "--offline", "--quiet", "--", "verify", CLAIM]
    run += ["--fresh", "--no-journal", "--output", str(scratch / "report.md")]
    file = clone / EDITED
    text = file.read_text()
    first = text.index('"', text.index(".remark(")) + 1
    file.write_text(text[:first] + "Edited. " + text[first:])
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
    return rows


def table(rows: list[tuple[str, str, str]]) -> str:
    where = f"{os.cpu_count()} processors, {platform.machine()}"
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    lines = [f"Measured by `python3 benches/builds.py --write` with rustc {version} on {where}, otherwise idle.", ""]
    lines += ["| what | by the clock | of the processors |", "|---|---|---|"]
    lines += [f"| {what} | {elapsed} | {busy} |" for what, elapsed, busy in rows]
    return "\n".join(lines)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        text = table(measured(Path(scratch)))
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
