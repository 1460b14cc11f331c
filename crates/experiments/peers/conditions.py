"""What pyCANON finds in tables.

usage: conditions.py FOLDER

In the tables of the folder quasi-identifiers are called q1, q2 and so on, sensitive columns s1 and s2. Prints the versions, then a
line for each table, choice of sensitive columns and figure: their names and the value, `nan` where pyCANON has none. Cells are taken
as text, but for the sensitive columns, which are what their cells are.
"""
import itertools, platform, sys
from importlib.metadata import version
from pathlib import Path

import pandas as pd
from pycanon import anonymity

FIGURES = {
    "alpha": lambda *of: anonymity.alpha_k_anonymity(*of)[0],
    "distinct l": anonymity.l_diversity,
    "entropy l": anonymity.entropy_l_diversity,
    "recursive c": lambda *of: anonymity.recursive_c_l_diversity(*of)[0],
    "basic beta": anonymity.basic_beta_likeness,
    "enhanced beta": anonymity.enhanced_beta_likeness,
    "t": anonymity.t_closeness,
    "delta": anonymity.delta_disclosure,
}


def figure(of, *args):
    try:
        return of(*args)
    except ZeroDivisionError:
        return float("nan")


def main(folder):
    tools = [f"{name} {version(name)}" for name in ["pycanon", "pandas", "numpy"]]
    print("versions", ", ".join([*tools, f"{platform.python_implementation()} {platform.python_version()}"]), sep="\t")
    for path in sorted(Path(folder).glob("*.csv")):
        names = pd.read_csv(path, nrows=0).columns
        quasi = [name for name in names if name.startswith("q")]
        secret = [name for name in names if name.startswith("s")]
        frame = pd.read_csv(path, dtype={name: str for name in quasi}, keep_default_na=False)
        print(path.stem, "", "k", anonymity.k_anonymity(frame, quasi), sep="\t")
        for number in range(1, len(secret) + 1):
            for chosen in map(list, itertools.combinations(secret, number)):
                for name, of in FIGURES.items():
                    print(path.stem, ",".join(chosen), name, float(figure(of, frame, quasi, chosen)), sep="\t")


main(*sys.argv[1:])
