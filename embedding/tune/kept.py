#!/usr/bin/env python3
"""Writes what is kept for choosing between candidates, as folders for `waymark eval beir`.

    python3 kept.py DATA OUT

OUT/obliqa and OUT/scifact hold the fifth of the questions that pairs.py leaves
out, and every THIN-th passage together with all judged ones: to compare
candidates, not to quote.
"""

import json
import pathlib
import sys

from pairs import QUESTION_SETS, kept, read_jsonl

THIN = 4


def main():
    data, out = map(pathlib.Path, sys.argv[1:])
    for name, split in QUESTION_SETS:
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        questions = [q for q in read_jsonl(data / name / f"queries.{split}.jsonl") if kept(q["id"])]
        ids = {q["id"] for q in questions}
        judgements = [line for line in (data / name / f"qrels.{split}.tsv").read_text().splitlines()
                      if line.split("\t")[0] in ids]
        judged = {line.split("\t")[1] for line in judgements}
        corpus = [c for i, c in enumerate(read_jsonl(data / name / "corpus.jsonl"))
                  if i % THIN == 0 or c["id"] in judged]
        for file, rows in (("corpus.jsonl", corpus), ("queries.jsonl", questions)):
            (folder / file).write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
        (folder / "qrels.tsv").write_text("".join(line + "\n" for line in judgements), encoding="utf-8")
        print(folder, len(questions), "questions,", len(corpus), "passages")


if __name__ == "__main__":
    main()
