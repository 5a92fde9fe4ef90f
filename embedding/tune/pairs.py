#!/usr/bin/env python3
"""Writes the pairs that tune.py learns from.

    python3 pairs.py DATA pairs.jsonl

DATA holds scifact, obliqa and corpora. Only what was written for training is
read: the train split of SciFact and the dev split of ObliQA, of each four
fifths (the fifth that is kept chooses between candidates, see kept()), and
three of the corpora, with headings, sentences and the questions in
questions.jsonl, which were written for this. One object a line: set, query, positive, negative. The
negative of a question is a passage that BM25 ranks well and that answers
nothing; "" when there is none. The same bytes every time.
"""

import collections
import hashlib
import json
import math
import pathlib
import random
import re
import sys

CORPORA = ["jupiterone-policies", "comply-soc2", "moj-cloud-platform-adr"]
QUESTION_SETS = [("scifact", "train"), ("obliqa", "dev")]
# A negative is drawn from the first RANKS of BM25 whose score is below SHARE of
# the positive's: what scores as high as the answer is often an answer too.
RANKS, SHARE = 30, .8
K1, B = 1.2, .75


def kept(question_id):
    """Tells the fifth of the questions that is never trained on."""
    return hashlib.sha256(question_id.encode()).digest()[0] % 5 == 0


def digest(passage):
    """Names a passage in questions.jsonl without repeating it."""
    return hashlib.sha256(passage.encode()).hexdigest()[:12]


def read_jsonl(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def words(text):
    return re.findall(r"[a-z0-9]+", text.lower())


class BM25:
    """Scores passages by their words."""

    def __init__(self, texts):
        self.postings = collections.defaultdict(list)
        lengths = []
        for row, text in enumerate(texts):
            counts = collections.Counter(words(text))
            lengths.append(sum(counts.values()))
            for word, n in counts.items():
                self.postings[word].append((row, n))
        mean = sum(lengths) / len(lengths)
        self.norms = [K1 * (1 - B + B * n / mean) for n in lengths]

    def scores(self, query):
        result = collections.defaultdict(float)
        for word in sorted(set(words(query))):
            rows = self.postings.get(word, [])
            idf = math.log(1 + (len(self.norms) - len(rows) + .5) / (len(rows) + .5))
            for row, n in rows:
                result[row] += idf * n / (n + self.norms[row])
        return result


def judged(folder, split, rng):
    """Yields the pairs of a judged question set that may be trained on."""
    corpus = read_jsonl(folder / "corpus.jsonl")
    texts = [(c["title"] + " " + c["text"]).strip() for c in corpus]
    rows = {c["id"]: row for row, c in enumerate(corpus)}
    relevant = collections.defaultdict(list)
    for line in (folder / f"qrels.{split}.tsv").read_text().splitlines():
        question, passage, grade = line.split("\t")
        if int(grade) > 0:
            relevant[question].append(rows[passage])
    bm25 = BM25(texts)
    for question in read_jsonl(folder / f"queries.{split}.jsonl"):
        answers = relevant[question["id"]]
        if kept(question["id"]) or not answers:
            continue
        positive = rng.choice(answers)
        scores = bm25.scores(question["text"])
        ranked = sorted(scores, key=lambda row: (-scores[row], row))[:RANKS]
        wrong = [row for row in ranked if row not in answers and scores[row] < SHARE * scores.get(positive, 0)]
        negative = texts[rng.choice(wrong)] if wrong else ""
        yield {"set": folder.name, "query": question["text"], "positive": texts[positive], "negative": negative}


def sections(text):
    """Yields title, heading and text of the sections of a markdown page."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    title = heading = ""
    lines = []
    for line in text.splitlines() + ["# "]:
        m = re.match(r"#+\s+(.*)", line)
        if not m:
            lines.append(line)
            continue
        body = " ".join(" ".join(lines).split())
        if heading and len(words(body)) >= 12:
            yield title, heading, body
        heading, lines = m[1].strip(), []
        title = title or heading


def corpus_pairs(folder, rng):
    """Yields heading and passage, and a sentence and the passage it came from."""
    paths = sorted(p for p in folder.rglob("*") if ".md" in p.name and p.name not in ("README.md", "TODO.md"))
    for path in paths:
        page = re.sub(r"\{\{.*?\}\}", "the company", path.read_text(encoding="utf-8"))
        page = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", page)
        for title, heading, body in sections(page):
            name = heading if heading == title else f"{title}: {heading}"
            yield {"set": "corpora", "query": name, "positive": body, "negative": ""}
            sentences = [s for s in re.split(r"(?<=[.;:])\s+", body) if 6 <= len(words(s)) <= 40]
            if len(sentences) >= 3:
                sentence = rng.choice(sentences)
                yield {"set": "corpora", "query": sentence, "positive": body.replace(sentence, ""), "negative": ""}


def main():
    data, out = map(pathlib.Path, sys.argv[1:])
    rng = random.Random(1)
    pairs = []
    for name, split in QUESTION_SETS:
        pairs += judged(data / name, split, rng)
    for name in CORPORA:
        pairs += corpus_pairs(data / "corpora" / name, rng)
    passages = {digest(p["positive"]): p["positive"] for p in pairs if p["set"] == "corpora"}
    for question in read_jsonl(pathlib.Path(__file__).with_name("questions.jsonl")):
        positive = passages[question["passage"]]
        pairs.append({"set": "questions", "query": question["query"], "positive": positive, "negative": ""})
    out.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in pairs), encoding="utf-8")
    for name, n in collections.Counter(p["set"] for p in pairs).items():
        print(name, n)


if __name__ == "__main__":
    main()
