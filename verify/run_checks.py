#!/usr/bin/env python3
"""Run every stand-alone check of a refutation, verify/<paper>/checks/*.py, and print one line for each.

A check computes with Python alone. It is run in isolated mode, where it cannot import its neighbours, and its text is
looked through first: modules other than those below, files and processes are refused, and so is a check that asserts
nothing, or one that is longer than a reader follows beside the erratum: more than 40 lines apart from its docstring and
blank lines. The exit status is 1 if a check fails, or if there is none.
"""

import ast
import pathlib
import subprocess
import sys

MODULES = {"fractions", "decimal", "math", "cmath", "itertools", "functools", "random", "mpmath"}
CALLS = {"open", "eval", "exec", "compile", "__import__", "input"}
SECONDS = 60
LINES = 40


def objection(path):
    """What makes the file no stand-alone check, or None."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, str(path))
    nodes = list(ast.walk(tree))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    if strange := sorted(name for name in imported if name.split(".")[0] not in MODULES):
        return f"imports {', '.join(strange)}"
    if called := sorted({node.id for node in nodes if isinstance(node, ast.Name)} & CALLS):
        return f"uses {', '.join(called)}"
    if not ast.get_docstring(tree):
        return "does not say what it checks"
    docstring, lines = tree.body[0], text.splitlines()
    code = [line for line in lines[: docstring.lineno - 1] + lines[docstring.end_lineno :] if line.strip()]
    if len(code) > LINES:
        return f"has {len(code)} lines of code where at most {LINES} are read beside an erratum"
    if not any(isinstance(node, ast.Assert) for node in nodes):
        return "asserts nothing"
    return None


def outcome(path):
    """Whether the check passes, and the line it printed or the reason why not."""
    try:
        if reason := objection(path):
            return False, reason
        command = [sys.executable, "-I", "-X", "utf8", str(path)]
        run = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    except SyntaxError as error:
        return False, f"is not Python: {error}"
    except subprocess.TimeoutExpired:
        return False, f"took more than {SECONDS} seconds"
    if run.returncode != 0:
        return False, (run.stderr.strip().splitlines() or [f"exit status {run.returncode}"])[-1]
    lines = run.stdout.strip().splitlines()
    if len(lines) != 1:
        return False, f"printed {len(lines)} lines where one is expected"
    return True, lines[0]


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    here = pathlib.Path(__file__).resolve().parent
    paths = sorted(here.glob("*/checks/*.py"))
    failed = 0
    for path in paths:
        passed, line = outcome(path)
        failed += not passed
        print(f"{'ok  ' if passed else 'FAIL'} {path.parent.parent.name}/{path.stem}: {line}", flush=True)
    print(f"{len(paths) - failed} of {len(paths)} stand-alone checks passed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
