"""What pyCANON finds in a published table.

usage: figures.py OUT.csv QUASI[,QUASI] SENSITIVE

Prints one line a figure: name and value. Cells are taken as text, but for the sensitive column, which is what its cells are.
"""
import sys

import pandas as pd
from pycanon import anonymity

table, quasi, sensitive = sys.argv[1], sys.argv[2].split(","), [sys.argv[3]]
frame = pd.read_csv(table, dtype={name: str for name in quasi}, keep_default_na=False)
alpha, _ = anonymity.alpha_k_anonymity(frame, quasi, sensitive)
for name, value in {
    "k": anonymity.k_anonymity(frame, quasi),
    "alpha": alpha,
    "l": anonymity.l_diversity(frame, quasi, sensitive),
    "entropy l": anonymity.entropy_l_diversity(frame, quasi, sensitive),
    "t": anonymity.t_closeness(frame, quasi, sensitive),
}.items():
    print(f"{name}\t{value}")
