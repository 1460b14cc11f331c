"""A published table that a tool from PyPI makes of a data set of the league.

usage: league.py ENTRANT FOLDER OUT.csv K L PERCENT SECONDS BYTES

FOLDER holds table.csv, columns.csv (name;role;kind) and hierarchy-N.csv of the N-th column, from 0: value;label;...;*. L is 0 where no
condition on the sensitive column is asked for; PERCENT of the rows may be suppressed by tools that suppress. Prints the user CPU seconds
of the tool's own call: neither start-up and compiling nor reading and writing count. Limits the process to SECONDS of CPU time and BYTES of
address space.

Where a tool makes classes, they are published in the order of the rows as the tool publishes them: numbers as least and greatest or as
means, labels as sets, spelled [18-20] and {a, b}.
"""
import csv, os, resource, sys

import numpy as np
import pandas as pd


class Asked:
    def __init__(self, folder, k, l, percent):
        with open(os.path.join(folder, "columns.csv"), encoding="utf-8", newline="") as file:
            columns = list(csv.DictReader(file, delimiter=";"))
        self.folder, self.k, self.l, self.percent = folder, int(k), int(l), float(percent)
        self.names = [column["name"] for column in columns]
        self.quasi = [column["name"] for column in columns if column["role"] == "quasi"]
        self.numbers = [column["name"] for column in columns if column["kind"] == "number"]
        self.sensitive = next((column["name"] for column in columns if column["role"] == "sensitive"), None)
        self.texts = pd.read_csv(os.path.join(folder, "table.csv"), dtype=str, keep_default_na=False)

    def frame(self):
        """Numbers as numbers, quasi-identifiers of labels as categories."""
        frame = self.texts.copy()
        for name in self.quasi:
            frame[name] = pd.to_numeric(frame[name]) if name in self.numbers else frame[name].astype("category")
        return frame

    def hierarchy(self, name):
        at = self.names.index(name)
        with open(os.path.join(self.folder, f"hierarchy-{at}.csv"), encoding="utf-8", newline="") as file:
            return [line.rstrip("\n").split(";") for line in file]


def anonypyx(algorithm):
    from anonypyx import Anonymiser

    def classes(asked, frame):
        l = {"l": asked.l, "sensitive_column": asked.sensitive} if asked.l else {}
        tool = Anonymiser(frame, k=asked.k, algorithm=algorithm, feature_columns=asked.quasi, **l)
        return tool.algorithm.partition(tool.parameters)

    return classes


def anonypy(asked, frame):
    from anonypy.mondrian import Mondrian

    return Mondrian(frame, asked.quasi, asked.sensitive).partition(asked.k, asked.l)


def microagg1d(asked, frame):
    from microagg1d import univariate_microaggregation

    labels = univariate_microaggregation(frame[asked.quasi[0]].to_numpy(dtype=float), asked.k)
    return list(frame.groupby(labels).groups.values())


CLASSES = {
    "anonypyx-mdav": lambda: anonypyx("MDAV-generic"),
    "anonypyx-mondrian": lambda: anonypyx("Mondrian"),
    "anonypy-mondrian": lambda: anonypy,
    "microagg1d": lambda: microagg1d,
}


def anjana(asked):
    """ANJANA's own table, of texts, by its hierarchies."""
    from anjana import anonymity

    hierarchies = {}
    for name in asked.quasi:
        of = {row[0]: row for row in asked.hierarchy(name)}
        levels = len(next(iter(of.values())))
        hierarchies[name] = {
            level: np.array([of[value][level] for value in asked.texts[name]]) for level in range(levels)
        }
    given = dict(k=asked.k, supp_level=asked.percent, hierarchies=hierarchies)
    if asked.l:
        return lambda: anonymity.l_diversity(
            asked.texts.copy(), [], asked.quasi, sens_att=asked.sensitive, l_div=asked.l, **given
        )
    return lambda: anonymity.k_anonymity(asked.texts.copy(), [], asked.quasi, **given)


def published(asked, frame, classes, means):
    escaped = lambda label: "".join("\\" + c if c in ",{}\\" else c for c in label)

    def cell(values, name):
        if means:
            return repr(float(values.mean()))
        if name in asked.numbers:
            low, high = values.min(), values.max()
            return str(low) if low == high else f"[{low}-{high}]"
        labels = sorted(set(values))
        return labels[0] if len(labels) == 1 else "{" + ", ".join(map(escaped, labels)) + "}"

    before = {name: np.array(frame[name]) for name in asked.quasi}
    after = {name: np.array(asked.texts[name], dtype=object) for name in asked.names}
    seen = np.zeros(len(frame), dtype=int)
    for rows in map(np.asarray, classes):
        seen[rows] += 1
        for name in asked.quasi:
            after[name][rows] = cell(before[name][rows], name)
    if not (seen == 1).all():
        sys.exit(f"the tool's classes do not hold {int((seen != 1).sum())} rows exactly once")
    return pd.DataFrame(after)


def main(entrant, folder, out, k, l, percent, seconds, size):
    asked = Asked(folder, k, l, percent)
    used = lambda: resource.getrusage(resource.RUSAGE_SELF)
    # Means are asked for where the numbers are written with decimals.
    frame = asked.frame()
    means = all(frame[name].dtype == float for name in asked.quasi)
    if entrant == "anjana":
        call = anjana(asked)
    else:
        tool = CLASSES[entrant]()
        # Imports and compilers run once before the clock starts.
        few = frame.head(min(len(frame), 20 * asked.k)).copy()
        tool(asked, few)
        call = lambda: tool(asked, frame.copy())
    spent = used().ru_utime + used().ru_stime
    # What the kernel says about the limit of time is a signal; it counts whole seconds of the process. Writing comes on top.
    limit = int(spent) + 1 + int(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, 2 * limit))
    resource.setrlimit(resource.RLIMIT_AS, (int(size), int(size)))
    began = used().ru_utime
    try:
        found = call()
    except MemoryError:
        sys.exit("memory")
    spent = used().ru_utime - began
    resource.setrlimit(resource.RLIMIT_CPU, (2 * limit, 2 * limit))
    table = found if entrant == "anjana" else published(asked, frame, found, means)
    if len(table) == 0:
        sys.exit("the tool finds no table")
    table[asked.names].to_csv(out, index=False, lineterminator="\n")
    print(spent)


main(*sys.argv[1:])
