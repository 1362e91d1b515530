"""Prints what iglu_python makes of series of glucose levels, for comparison.

Reads lines of a name and levels in mg/dL, "continuous" ones with a level every five minutes from a midnight on; writes
one JSON object a line.
"""

import json
import sys

import iglu_python as iglu
import pandas as pd


def judged(name, levels):
    series = pd.Series(levels)
    answer = {
        "name": name,
        "mean": float(iglu.mean_glu(series)),
        "sd": float(iglu.sd_glu(series)),
        "cv": float(iglu.cv_glu(series)),
        "lbgi": float(iglu.lbgi(series)),
        "hbgi": float(iglu.hbgi(series)),
        "gmi": float(iglu.gmi(series)),
        "quantiles": [float(q) for q in iglu.quantile_glu(series, [5, 25, 50, 75, 95])],
        "inRange": float(iglu.in_range_percent(series, [[70, 180]])["in_range_70_180"]),
        "below54": float(iglu.below_percent(series, targets_below=[54])["below_54"]),
        "below70": float(iglu.below_percent(series, targets_below=[70])["below_70"]),
        "above180": float(iglu.above_percent(series, targets_above=[180])["above_180"]),
        "above250": float(iglu.above_percent(series, targets_above=[250])["above_250"]),
    }
    if name.startswith("continuous"):
        times = pd.date_range("2026-01-01", periods=len(levels), freq="5min")
        answer["mage"] = float(iglu.mage(pd.Series(levels, index=times)))
    return answer


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            name, *words = line.split()
            print(json.dumps(judged(name, [float(word) for word in words])))


main()
