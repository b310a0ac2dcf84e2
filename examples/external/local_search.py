#!/usr/bin/env python3
"""A search strategy: moves to a faster neighbour until there is none, then begins anew at a random configuration."""
import json
import random
import sys


def say(message):
    print(json.dumps(message), flush=True)
    return json.loads(sys.stdin.readline())


def measure(configuration):
    answer = say({"ask": [configuration]})
    result = answer["tell"][0]
    return result["time"] if result["status"] == "correct" else float("inf"), answer["remaining"]


start = json.loads(sys.stdin.readline())
random.seed(start["seed"])
remaining = start["budget"]["evaluations"]
while remaining:
    around, best = say({"sample": 1})["sample"], float("inf")
    while around and remaining:
        candidate = around.pop(random.randrange(len(around)))
        time, remaining = measure(candidate)
        if time < best:
            best = time
            around = say({"neighbours": candidate})["neighbours"]
