#!/usr/bin/python3
"""The same table, learned by scikit-learn: what gst's predictors are compared with (tests/plugins/scikit_learn_test.cpp).

scikit_learn.py table   > table.csv     makes the table
scikit_learn.py figures > figures.json  learns it: means and standard deviations over 20 seeds
scikit_learn.py check                   learns it again and compares with figures.json; 77: not installed
"""
import csv
import json
import math
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).parent
SEEDS = 20
TREES = 50
ATTRIBUTES = 3


def print_table():
    """400 rows: five features, of which three say something, with noise in the class and in the value."""
    rng = random.Random(1)
    print("a,b,c,d,e,class,value,part")
    for i in range(400):
        a, b, c = rng.randrange(1, 126), round(rng.random(), 3), rng.randrange(4)
        d, e = rng.randrange(3), round(100 * rng.random(), 1)
        kind = (0 if b < 0.4 else 1) if a < 60 else (2 if c < 2 else 1)
        kind = rng.randrange(3) if rng.random() < 0.15 else kind
        value = round((0.1 * a if c < 2 else 20 - 0.05 * a) + 5 * b + rng.gauss(0, 1), 3)
        print(f"{a},{b},{c},{d},{e},{kind},{value},{'seen' if i < 250 else 'unseen'}")


def read_table():
    with open(HERE / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    parts = {}
    for part in ("seen", "unseen"):
        chosen = [r for r in rows if r["part"] == part]
        parts[part] = (
            [[float(r[k]) for k in "abcde"] for r in chosen],
            [int(r["class"]) for r in chosen],
            [float(r["value"]) for r in chosen],
        )
    return parts["seen"], parts["unseen"]


def statistics(runs):
    """Mean and standard deviation of each figure."""
    out = {}
    for name in runs[0]:
        values = [r[name] for r in runs]
        mean = sum(values) / len(values)
        out[name] = {"mean": mean, "deviation": math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))}
    return out


def rms(predicted, values):
    return math.sqrt(sum((p - v) ** 2 for p, v in zip(predicted, values)) / len(values))


def wrong(predicted, classes):
    return sum(p != c for p, c in zip(predicted, classes)) / len(classes)


def figures():
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    (x, classes, values), (new_x, new_classes, new_values) = read_table()
    runs = []
    for seed in range(SEEDS):
        how = dict(n_estimators=TREES, max_features=ATTRIBUTES, oob_score=True, random_state=seed)
        c = RandomForestClassifier(criterion="entropy", **how).fit(x, classes)
        r = RandomForestRegressor(criterion="squared_error", **how).fit(x, values)
        t = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=4, random_state=seed).fit(x, classes)
        run = {
            "forest_wrong_out_of_bag": 1 - c.oob_score_,
            "forest_wrong_unseen": wrong(c.predict(new_x), new_classes),
            "forest_error_out_of_bag": rms(r.oob_prediction_, values),
            "forest_error_unseen": rms(r.predict(new_x), new_values),
            "tree_wrong_unseen": wrong(t.predict(new_x), new_classes),
        }
        run.update({f"forest_importance_{k}": v for k, v in zip("abcde", c.feature_importances_)})
        run.update({f"forest_value_importance_{k}": v for k, v in zip("abcde", r.feature_importances_)})
        runs.append(run)
    near = make_pipeline(StandardScaler(), KNeighborsClassifier(1)).fit(x, classes)
    near_3 = make_pipeline(StandardScaler(), KNeighborsRegressor(3)).fit(x, values)
    return {
        "random": statistics(runs),
        "nearest_wrong_unseen": wrong(near.predict(new_x), new_classes),
        "nearest_3_error_unseen": rms(near_3.predict(new_x), new_values),
    }


def check():
    try:
        import sklearn
    except ImportError:
        print("skipped: scikit-learn is not installed (Debian: python3-sklearn)")
        return 77
    kept = json.loads((HERE / "figures.json").read_text())
    now = figures()
    off = []
    for name, then in kept["random"].items():
        noise = then["deviation"] * math.sqrt(2 / SEEDS)
        if abs(now["random"][name]["mean"] - then["mean"]) > 5 * noise + 0.01:
            off.append(name)
    off += [n for n in kept if n != "random" and abs(now[n] - kept[n]) > 0.01]
    print(f"scikit-learn {sklearn.__version__}: {len(off)} figures are others now", *off)
    return 1 if off else 0


def main():
    what = sys.argv[1:]
    if what == ["table"]:
        print_table()
    elif what == ["figures"]:
        print(json.dumps(figures(), indent=1))
    elif what == ["check"]:
        sys.exit(check())
    else:
        sys.exit(__doc__)


main()
