"""Classes that a public tool makes of a table of numbers.

usage: classes.py TOOL K IN.csv CLASSES.csv SECONDS BYTES

Writes the header `row,class` and one line a row; prints the user CPU seconds of the tool's own call: neither start-up and
compiling nor reading and writing count. Limits the process to SECONDS of CPU time and BYTES of address space.
"""
import csv, resource, sys

import pandas as pd


def anonypyx(algorithm):
    from anonypyx import Anonymiser

    def classes(frame, k):
        tool = Anonymiser(frame, k=k, algorithm=algorithm, feature_columns=list(frame.columns))
        return tool.algorithm.partition(tool.parameters)

    return classes


def anonypy(frame, k):
    from anonypy.mondrian import Mondrian

    return Mondrian(frame, list(frame.columns)).partition(k)


def microagg1d(frame, k):
    from microagg1d import univariate_microaggregation

    labels = univariate_microaggregation(frame.iloc[:, 0].to_numpy(dtype=float), k)
    return list(frame.groupby(labels).groups.values())


TOOLS = {
    "anonypyx-mdav": anonypyx("MDAV-generic"),
    "anonypyx-mondrian": anonypyx("Mondrian"),
    "anonypy-mondrian": anonypy,
    "microagg1d": microagg1d,
}


def main(tool, k, table, out, seconds, size):
    frame, k, tool = pd.read_csv(table).astype(float), int(k), TOOLS[tool]
    used = lambda: resource.getrusage(resource.RUSAGE_SELF)
    # Imports and compilers run once before the clock starts.
    tool(frame.head(5 * k), k)
    spent = used().ru_utime + used().ru_stime
    # What the kernel says about the limit of time is a signal; it counts whole seconds of the process.
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + 1 + int(seconds),) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (int(size), int(size)))
    began = used().ru_utime
    try:
        classes = tool(frame.copy(), k)
    except MemoryError:
        sys.exit("memory")
    spent = used().ru_utime - began
    labels = [None] * len(frame)
    for label, rows in enumerate(classes):
        for row in rows:
            assert labels[row] is None, f"row {row} is in two classes"
            labels[row] = label
    with open(out, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["row", "class"])
        lines.writerows(enumerate(labels))
    print(spent)


main(*sys.argv[1:])
