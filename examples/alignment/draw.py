#!/usr/bin/env python3
"""Draws the cheapest alignment of a chunk from `apply-patch explain --json`.

    cd examples/alignment
    apply-patch explain --json patch.txt | python3 draw.py harbour.py > ../../docs/alignment.svg

The quoted lines are on the left, the lines of the file on the right. A line between two rows is a pair; its colour shows the cost.
"""
import html
import json
import sys

ROW, LEFT, RIGHT, WIDTH, TOP = 22, 20, 500, 960, 60
MONO = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12.5"'
SANS = 'font-family="system-ui, sans-serif" font-size="13"'


def text(x, y, words, style, color="#1f2937"):
    return f'<text x="{x}" y="{y}" fill="{color}" xml:space="preserve" {style}>{html.escape(words)}</text>'


def main():
    explained = json.load(sys.stdin)
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    chunk = explained["hunks"][0]["chunks"][0]
    best = chunk["candidates"][0]
    first, last = max(best["first"] - 1, 1), min(best["last"] + 1, len(lines))
    shown = list(range(first, last + 1))
    height = TOP + ROW * max(len(shown), len(best["rows"])) + 54
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The cheapest alignment of a quote with a file</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(LEFT, 26, "quoted by the model", SANS + ' font-weight="600"'),
        text(RIGHT, 26, "in the file", SANS + ' font-weight="600"'),
        text(LEFT + 320, 26, "cost", SANS, "#6b7280"),
    ]
    y_of = {line: TOP + ROW * nth for nth, line in enumerate(shown)}
    paired = {row["line"] for row in best["rows"]}
    for line, y in y_of.items():
        quoted = line in paired
        inside = best["first"] <= line <= best["last"]
        color = "#1f2937" if quoted else "#b45309" if inside else "#9ca3af"
        out.append(text(RIGHT, y, f"{line:>3}  {lines[line - 1]}", MONO, color))
        if inside and not quoted:
            out.append(text(WIDTH - 110, y, "not quoted", SANS, color))
    signs = {"context": " ", "remove": "-", "add": "+"}
    for nth, row in enumerate(best["rows"]):
        y = TOP + ROW * nth
        color = "#b91c1c" if row["kind"] == "remove" else "#1f2937"
        out.append(text(LEFT, y, signs[row["kind"]] + row["text"], MONO, color))
        out.append(text(LEFT + 326, y, str(row["cost"]), MONO, "#6b7280" if row["cost"] == 0 else "#b45309"))
        if row["line"] in y_of:
            stroke = "#9ca3af" if row["cost"] == 0 else "#d97706"
            to = y_of[row["line"]] - 4
            out.append(
                f'<path d="M{LEFT + 352} {y - 4} C{LEFT + 420} {y - 4} {RIGHT - 70} {to} {RIGHT - 8} {to}"'
                f' fill="none" stroke="{stroke}" stroke-width="1.6"/>'
            )
    words = f'indentation: {best["indentation"]} · cost of all differences: {best["cost"]} · not in this file: {best["null"]} · margin: {chunk["margin"]}'
    out.append(text(LEFT, height - 16, words, SANS, "#374151"))
    out.append("</svg>")
    print("\n".join(out))


main()
