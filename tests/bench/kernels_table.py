#!/usr/bin/env python3
"""Keeps what kernels_bench found, and writes the table of docs/performance.md from it.

    tests/bench/kernels_table.py tests/bench/results/kernels_h200_cuda.json [RUN.json ...]

The first file is a list of runs as `kernels_bench --json` writes them. The runs in the other files are added to it; of
every stencil, type and grid the fastest sweep and the fastest blocked program stay, each in its own run. The rows of the
document keep their order and what they say of other generators; a stencil that has no row there gets none.
"""

import json
import pathlib
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "performance.md"
GRIDS = ("8192x8192", "512x512x512")  # of the table
PARTS = ("sweep", "blocked")


def fastest_of(runs):
    """The row with the fastest sweep and the one with the fastest blocked program, by stencil, type and grid."""
    found = {}
    for run in runs:
        for row in run["rows"]:
            best = found.setdefault((row["stencil"], row["type"], row["grid"]), {})
            for part in PARTS:
                if row[part] and (part not in best or row[part]["gst_per_s"] > best[part][part]["gst_per_s"]):
                    best[part] = row
    return found


def only_kept(runs):
    """The runs without the rows that are the fastest in nothing."""
    kept = {id(row) for best in fastest_of(runs).values() for row in best.values()}
    thinned = [{**run, "rows": [row for row in run["rows"] if id(row) in kept]} for run in runs]
    return [run for run in thinned if run["rows"]]


def cells_of(best):
    """sweep, /copy, blocked, steps, /sweep, limit: as texts."""
    sweep = best["sweep"]["sweep"]
    blocked = best["blocked"]["blocked"] if "blocked" in best else None
    fastest, row = sweep, best["sweep"]
    if blocked and blocked["gst_per_s"] > sweep["gst_per_s"]:
        fastest, row = blocked, best["blocked"]
    limit = row["copy_gst_per_s"] * fastest["steps"]
    if row["arithmetic_gst_per_s"]:
        limit = min(limit, row["arithmetic_gst_per_s"])
    cells = [f"{sweep['gst_per_s']:.0f}", f"{sweep['copy_share']:.2f}", "", "", ""]
    if blocked:
        cells[2:] = [f"{blocked['gst_per_s']:.0f}", str(blocked["steps"])]
        cells.append(f"{blocked['gst_per_s'] / sweep['gst_per_s']:.2f}")
    return cells + [f"{fastest['gst_per_s'] / limit:.2f}"]


def with_table(text, found):
    """The document's text with the numbers in its table."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        words = [word.strip() for word in line.split("|")]
        if len(words) != 13:
            continue
        for grid in GRIDS:
            best = found.get((words[1], words[2], grid))
            if best and "sweep" in best:
                lines[i] = "| " + " | ".join(words[1:3] + cells_of(best) + words[9:12]) + " |"
    return "\n".join(lines)


def main(results, *more):
    path = pathlib.Path(results)
    runs = json.loads(path.read_text())
    for name in more:
        run = json.loads(pathlib.Path(name).read_text())
        for what in ("device", "backend"):
            if run[what] != runs[0][what]:
                sys.exit(f"{name}: measured on another {what} ({run[what]}) than {results} ({runs[0][what]})")
        run["command"] = run["command"].replace(name, "FILE")
        runs.append(run)
    runs = only_kept(runs)
    path.write_text(json.dumps(runs, indent=1, sort_keys=True) + "\n")
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(), fastest_of(runs)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
