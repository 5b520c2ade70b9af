#!/usr/bin/env python3
"""Checks the grammar with Python's lark, in Earley and in LALR mode: on every patch of fixtures/ it has to say
what `apply-patch fmt --strict` says.

    python3 tests/grammar.py target/debug/apply-patch
"""

import pathlib
import subprocess
import sys

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


def main(program):
    parsers = {}
    for without in ["", "add", "delete", "move", "add,delete,move"]:
        args = [program, "grammar", "lark"] + (["--without", without] if without else [])
        text = subprocess.run(args, capture_output=True, check=True, text=True).stdout
        for mode in ["lalr", "earley"]:
            parsers[without, mode] = lark.Lark(text, parser=mode)
    compared = accepted = 0
    for patch in sorted(FIXTURES.glob("*/patch.txt")):
        try:
            text = patch.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        if len(text) > LONGEST:
            continue
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
