#!/usr/bin/env python3
"""Checks the grammars with Python's lark, in Earley and in LALR mode: on every patch of fixtures/ they have to say
what `apply-patch --strict` says.

    python3 tests/grammar.py target/debug/apply-patch
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import lark

FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures"
# Earley is slow on long texts.
LONGEST = 4000


def accepts(parser, text):
    try:
        parser.parse(text)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


def is_strict(program, patch):
    run = subprocess.run([program, "fmt", "--format", "envelope", "--strict", str(patch)], capture_output=True, check=False)
    return run.returncode == 0


def is_strict_block(program, patch):
    """Whether a patch is one of SEARCH/REPLACE blocks; that one changes nothing is no matter of grammar."""
    args = [program, "--format", "search-replace", "--strict", "--check", "--json", str(patch)]
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(args, capture_output=True, check=False, cwd=folder)
    codes = re.findall(rb'"code": *"([a-z-]+)"', run.stdout + run.stderr)
    return run.returncode != 2 or set(codes) == {b"same-text"}


def texts():
    for patch in sorted(FIXTURES.glob("*/*/*/*/patch.txt")):
        try:
            text = patch.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if len(text) <= LONGEST:
            yield patch, text


def check_blocks(program):
    grammar = subprocess.run([program, "grammar", "--format", "search-replace"], capture_output=True, check=True, text=True)
    parsers = {mode: lark.Lark(grammar.stdout, parser=mode) for mode in ["lalr", "earley"]}
    accepted = 0
    for patch, text in texts():
        wanted = is_strict_block(program, patch)
        for mode, parser in parsers.items():
            if accepts(parser, text) != wanted:
                sys.exit(f"{patch}: strict mode says {wanted} of its blocks, lark's {mode} does not")
        accepted += wanted
    if accepted < 10:
        sys.exit(f"{accepted} patches are strict blocks, which are too few to say anything")
    print(f"{accepted} patches are strict SEARCH/REPLACE blocks")


def main(program):
    parsers = {}
    for without in ["", "add", "delete", "move", "add,delete,move"]:
        args = [program, "grammar", "lark"] + (["--without", without] if without else [])
        text = subprocess.run(args, capture_output=True, check=True, text=True).stdout
        for mode in ["lalr", "earley"]:
            parsers[without, mode] = lark.Lark(text, parser=mode)
    compared = accepted = 0
    for patch, text in texts():
        wanted = is_strict(program, patch)
        for mode in ["lalr", "earley"]:
            if accepts(parsers["", mode], text) != wanted:
                sys.exit(f"{patch}: strict mode says {wanted}, lark's {mode} does not")
        compared += 1
        accepted += wanted
    if accepted < 100:
        sys.exit(f"{accepted} of {compared} patches are strict grammar, which are too few to say anything")
    print(f"{len(parsers)} grammars load; {compared} patches compared, {accepted} of them strict")


main(sys.argv[1])
check_blocks(str(pathlib.Path(sys.argv[1]).resolve()))
