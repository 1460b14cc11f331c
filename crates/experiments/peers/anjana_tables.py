"""ANJANA's table by one of its models, and pyCANON's figure of any table.

usage: anjana_tables.py make ASKED.json IN.csv OUT.csv SECONDS
       anjana_tables.py judge ASKED.json IN.csv

ASKED.json: {"model": name of the function of anjana.anonymity, "given": {parameter: number}, "quasi": [columns], "sensitive": column or
null, "suppressed": per cent, "hierarchies": {column: [[value, label, ...], ...]}}. `make` prints the user CPU seconds of the call. `judge` prints what the
table reaches of the model, a number or several with blanks between them.
"""
import json, resource, sys

import numpy as np
import pandas as pd


def levels(column, rows):
    """The column at each level of its hierarchy, as ANJANA takes it."""
    of = {row[0]: row for row in rows}
    return {level: np.array([of[value][level] for value in column]) for level in range(len(rows[0]))}


def make(asked, frame, out):
    from anjana import anonymity

    given = dict(asked["given"])
    if asked["sensitive"] and asked["model"] != "k_anonymity":
        given["sens_att"] = asked["sensitive"]
    hierarchies = {name: levels(frame[name], rows) for name, rows in asked["hierarchies"].items()}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    found = getattr(anonymity, asked["model"])(
        frame, [], asked["quasi"], supp_level=asked["suppressed"], hierarchies=hierarchies, **given
    )
    seconds = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    found.to_csv(out, index=False)
    print(seconds)


def judge(asked, frame):
    from pycanon import anonymity

    quasi, secret = asked["quasi"], [asked["sensitive"]]
    k = anonymity.k_anonymity(frame, quasi)
    figures = {
        "k_anonymity": lambda: (),
        "alpha_k_anonymity": lambda: anonymity.alpha_k_anonymity(frame, quasi, secret)[:1],
        "l_diversity": lambda: (anonymity.l_diversity(frame, quasi, secret),),
        "entropy_l_diversity": lambda: (anonymity.entropy_l_diversity(frame, quasi, secret),),
        "recursive_c_l_diversity": lambda: anonymity.recursive_c_l_diversity(frame, quasi, secret),
        "t_closeness": lambda: (anonymity.t_closeness(frame, quasi, secret),),
        "basic_beta_likeness": lambda: (anonymity.basic_beta_likeness(frame, quasi, secret),),
        "enhanced_beta_likeness": lambda: (anonymity.enhanced_beta_likeness(frame, quasi, secret),),
        "delta_disclosure": lambda: (anonymity.delta_disclosure(frame, quasi, secret),),
    }
    print(k, *(float(x) for x in figures[asked["model"]]()))


def main():
    what, asked, table = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8")), sys.argv[3]
    frame = pd.read_csv(table, dtype=str, keep_default_na=False)
    if what == "make":
        limit = int(sys.argv[5])
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        make(asked, frame, sys.argv[4])
    else:
        judge(asked, frame)


main()
