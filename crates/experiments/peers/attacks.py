"""What Anonymeter finds in published tables.

usage: attacks.py FOLDER

Each folder in FOLDER has published.csv, original.csv, control.csv and asked.json: the columns of the two sources, the secret, whether it
is a number, the columns that are numbers, and the number of attacks. Prints the versions, then a line for each attack: table, attack, how equal distances
are broken, and for main, control and naive the attacks and the successes.

Equal distances are broken as the package does it (`sorted`: by its sort, for both parts of a person alike) and at random (`drawn`).
"""
import json, platform, sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator
from anonymeter.evaluators import singling_out_evaluator
from anonymeter.neighbors import mixed_types_kneighbors

SEED = 1
COLUMNS = 3
RNG = np.random.default_rng(SEED)

sorted_neighbours = mixed_types_kneighbors._nearest_neighbors
made_queries = singling_out_evaluator._generate_singling_out_queries
made = []


def drawn_neighbours(queries, candidates, cat_cols_index, n_neighbors):
    """The same distances, equal ones in random order."""
    found, distances = [], []
    for query in queries:
        apart = np.abs(candidates - query)
        apart[:, cat_cols_index:] = candidates[:, cat_cols_index:] != query[cat_cols_index:]
        apart = apart.astype(float).sum(axis=1).round(12)
        order = np.lexsort((RNG.random(len(apart)), apart))[:n_neighbors]
        found.append(order)
        distances.append(apart[order])
    return np.array(found), np.array(distances)


def counted_queries(*args, **named):
    queries = made_queries(*args, **named)
    made.append(len(queries))
    return queries


singling_out_evaluator._generate_singling_out_queries = counted_queries


def line(table, attack, ties, attacks, results):
    main, control, naive = attacks
    figures = [main, results.n_success, control, results.n_control, naive, results.n_baseline]
    print(table, attack, ties, *(float(figure) for figure in figures), sep="\t")


def read(path, asked):
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    for name in asked["numbers"]:
        frame[name] = pd.to_numeric(frame[name])
    return frame


def main(folder):
    tools = [f"{name} {version(name)}" for name in ["anonymeter", "pandas", "numpy"]]
    print("versions", ", ".join([*tools, f"{platform.python_implementation()} {platform.python_version()}"]), sep="\t")
    for path in sorted(Path(folder).iterdir()):
        asked = json.loads((path / "asked.json").read_text())
        number, secret = asked["attacks"], asked["secret"]
        columns = asked["first"] + asked["second"]
        tables = [read(path / f"{name}.csv", asked)[[*columns, secret]] for name in ["published", "original", "control"]]
        published, original, control = tables
        for attack in ["univariate", "multivariate"]:
            evaluator = SinglingOutEvaluator(
                ori=original, syn=published, control=control, n_attacks=number, n_cols=COLUMNS, max_attempts=200 * number, seed=SEED
            )
            results = evaluator.evaluate(mode=attack).results()
            line(path.name, attack, "-", (made[-1], made[-1], number), results)
        for ties, neighbours in [("sorted", sorted_neighbours), ("drawn", drawn_neighbours)]:
            mixed_types_kneighbors._nearest_neighbors = neighbours
            np.random.seed(SEED)
            linking = LinkabilityEvaluator(
                ori=original, syn=published, control=control, n_attacks=number, n_neighbors=1, aux_cols=(asked["first"], asked["second"])
            )
            line(path.name, "linkability", ties, (number,) * 3, linking.evaluate(n_jobs=1).results())
            inferring = InferenceEvaluator(
                ori=original, syn=published, control=control, n_attacks=number, aux_cols=columns, secret=secret, regression=asked["regression"]
            )
            line(path.name, "inference", ties, (number,) * 3, inferring.evaluate(n_jobs=1).results())


main(*sys.argv[1:])
