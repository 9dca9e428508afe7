"""Whether a search says that it has no answer: questions about one conversation, asked of it and of another one.

    python -m bench.abstention --data FILE --json [--fit] [--dump FILE]

Reads conversations in the form of LoCoMo, each into a group of its own, offline. Every question is asked in the group
of its conversation, and in that of the next one, which has no answer.

`auc` is how often a question with an answer (categories 1 to 4) has a higher `answer_probability` than one asked
elsewhere; `auc_of_hits` the same of the most relevant hit alone. `adversarial` is that of questions about what was
never said (category 5), against those asked elsewhere (`against_elsewhere`), and of those with an answer against them
(`answered_against`). `verdicts` are the shares of `likely` by kind. `unknown_names` is the share of questions with one.
`calibration` has, for hits by their `relevance`, how many there are, its mean, and the share that is evidence or cites
it.

`--fit` fits the weights of `graphmem/retrieve/relevance.toml` to all conversations, prints them, and says `held_out`
what weights reach that were fitted to the others. `--dump` writes a line a question.
"""

import json
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import mean
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray

from bench import context_recall
from bench.common import parser, say, service, tell
from bench.locomo import Conversation, Question, ingest, read
from graphmem.model.hits import Contribution, Ranked
from graphmem.model.search import BELIEFS, EPISODE, PATH
from graphmem.retrieve.relevance import (
    AnswerFeatures,
    HitFeatures,
    KnownCosines,
    RelevanceWeights,
    answer_features,
    features_of,
    likelihood,
    packaged_relevance,
)

GROUP = "abstention"
HITS = 10
ADVERSARIAL = 5
BINS = 10
LIKELY = 0.5
_STEPS, _RIDGE = 50, 1e-3
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """``relevance`` is what the service says; ``right``: it is evidence, or cites it, as far as that is ``judged``."""

    features: HitFeatures
    relevance: float
    right: bool
    judged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, asked of a conversation: ``elsewhere``, of another one than its own."""

    where: str
    text: str
    category: int
    elsewhere: bool
    probability: float
    unknown_names: tuple[str, ...]
    hits: tuple[Hit, ...]

    @property
    def answered(self) -> bool:
        return not self.elsewhere and self.category != ADVERSARIAL


def ask(client: httpx.Client, where: str, asked: Question, evidence: frozenset[str], *, elsewhere: bool) -> Asked:
    """Ask in the group of a conversation; ``evidence`` are ids of episodes."""
    body = {"query": asked.text, "limit": HITS, "explain": True}
    answer = client.post(f"/v1/groups/{GROUP}-{where}/search", json=body).raise_for_status().json()
    return Asked(
        where=where,
        text=asked.text,
        category=asked.category,
        elsewhere=elsewhere,
        probability=answer["answer_probability"],
        unknown_names=tuple(answer["unknown_names"]),
        hits=tuple(_hit(hit, evidence) for hit in answer["hits"]),
    )


def _hit(hit: Mapping[str, Any], evidence: frozenset[str]) -> Hit:
    reasons = tuple(Contribution(**part) for part in hit["contributions"])
    ranked = Ranked(kind=hit["kind"], id=hit["id"], score=hit["score"], contributions=reasons)
    by_channel = {part.channel: part.raw for part in reasons if part.raw is not None}
    raw = KnownCosines(cosine={hit["id"]: by_channel.get("vector", 0.0)}, asked_vectors=True)
    rests_on = {hit["id"]} if hit["kind"] == EPISODE else set[str]()
    beliefs = [hit["thing"]] if hit["kind"] in BELIEFS else hit["thing"]["beliefs"] if hit["kind"] == PATH else []
    rests_on |= {claim["episode_id"] for belief in beliefs for claim in belief["evidence"]}
    return Hit(
        features=features_of(ranked, raw),
        relevance=hit["relevance"],
        right=bool(rests_on & evidence),
        judged=bool(rests_on) and hit["kind"] != PATH,
    )


def every_question(client: httpx.Client, conversations: Sequence[Conversation]) -> list[Asked]:
    asked = list[Asked]()
    for at, told in enumerate(conversations):
        say(f"{told.name}: {len(told.questions)} questions, here and elsewhere")
        turns = context_recall.said(client, f"{GROUP}-{told.name}")
        other = conversations[(at + 1) % len(conversations)].name
        for each in told.questions:
            evidence = frozenset(turns[turn][0] for turn in each.evidence)
            asked.append(ask(client, told.name, each, evidence, elsewhere=False))
            asked.append(ask(client, other, each, frozenset(), elsewhere=True))
    return asked


# figures --------------------------------------------------------------------------------------------------------------


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """How often one of the first is above one of the second; ties count half."""
    ones, others = np.asarray(higher, float), np.sort(np.asarray(lower, float))
    below, not_above = np.searchsorted(others, ones, "left"), np.searchsorted(others, ones, "right")
    return float((below + not_above).mean() / 2 / len(others))


def figures_of(asked: Sequence[Asked], score: Callable[[Asked], float]) -> dict[str, object]:
    answered = [score(one) for one in asked if one.answered]
    elsewhere = [score(one) for one in asked if one.elsewhere]
    adversarial = [score(one) for one in asked if not one.elsewhere and not one.answered]
    told: dict[str, object] = {"auc": round(auc(answered, elsewhere), 4)}
    if adversarial:
        told["adversarial"] = {
            "against_elsewhere": round(auc(adversarial, elsewhere), 4),
            "answered_against": round(auc(answered, adversarial), 4),
        }
    return told


def best_hit(one: Asked) -> float:
    return max((hit.relevance for hit in one.hits), default=0.0)


def verdicts(asked: Iterable[Asked]) -> dict[str, float]:
    kinds = defaultdict[str, list[bool]](list)
    for one in asked:
        kinds["elsewhere" if one.elsewhere else str(one.category)].append(one.probability >= LIKELY)
    return {kind: round(mean(likely), 3) for kind, likely in sorted(kinds.items())}


def calibration(hits: Iterable[Hit]) -> list[dict[str, float]]:
    bins = defaultdict[int, list[Hit]](list)
    for hit in hits:
        bins[min(BINS - 1, int(hit.relevance * BINS))].append(hit)
    return [
        {
            "from": at / BINS,
            "n": len(bins[at]),
            "relevance": round(mean(hit.relevance for hit in bins[at]), 3),
            "right": round(mean(hit.right for hit in bins[at]), 3),
        }
        for at in sorted(bins)
    ]


# fitting --------------------------------------------------------------------------------------------------------------


def fitted(rows: Sequence[Mapping[str, float]], right: Sequence[bool]) -> dict[str, float]:
    """The weights of a logistic regression, by Newton's method, with a slight ridge for what never varies."""
    names = list(rows[0])
    x: Floats = np.array([[row[name] for name in names] for row in rows], float)
    y: Floats = np.array(right, float)
    weights: Floats = np.zeros(len(names))
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - _RIDGE * weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + _RIDGE * np.eye(len(names))
        weights = weights + np.linalg.solve(curve, slope)
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


def fit(asked: Sequence[Asked]) -> RelevanceWeights:
    hits = [hit for one in asked for hit in one.hits]
    judged = [hit for hit in hits if hit.judged]  # nobody says which summaries answer a question
    of_hits = HitFeatures(**fitted([asdict(hit.features) for hit in judged], [hit.right for hit in judged]))
    told = [one for one in asked if one.answered or one.elsewhere]
    rows = [asdict(_answer_features(one, of_hits)) for one in told]
    return RelevanceWeights(hit=of_hits, answer=AnswerFeatures(**fitted(rows, [one.answered for one in told])))


def _answer_features(one: Asked, weights: HitFeatures) -> AnswerFeatures:
    return answer_features([likelihood(hit.features, weights) for hit in one.hits], one.unknown_names)


def held_out(asked: Sequence[Asked]) -> dict[str, object]:
    """What weights reach in a conversation that were fitted to what was asked in the others."""
    scores = dict[int, float]()
    for where in sorted({one.where for one in asked}):
        weights = fit([one for one in asked if one.where != where])
        for one in asked:
            if one.where == where:
                scores[id(one)] = likelihood(_answer_features(one, weights.hit), weights.answer)
    return figures_of(asked, lambda one: scores[id(one)])


def toml_of(weights: RelevanceWeights) -> str:
    return "\n".join(
        f"[{table.name}]\n"
        + "\n".join(f"{name} = {value:.3f}" for name, value in asdict(getattr(weights, table.name)).items())
        for table in fields(weights)
    )


def main(arguments: Namespace) -> None:
    if not arguments.data.is_file():
        raise SystemExit(f"{arguments.data} is absent: nothing was measured.")
    conversations = read(arguments.data)
    with service(arguments) as running, running.client() as client:
        for told in conversations:
            ingest(client, f"{GROUP}-{told.name}", told.turns)
        asked = every_question(client, conversations)
    if arguments.dump:
        arguments.dump.write_text("".join(f"{json.dumps(asdict(one))}\n" for one in asked), "utf-8")
    figures: dict[str, object] = {
        **figures_of(asked, lambda one: one.probability),
        "auc_of_hits": figures_of(asked, best_hit)["auc"],
        "verdicts": verdicts(asked),
        "unknown_names": {
            "answered": round(mean(bool(one.unknown_names) for one in asked if one.answered), 3),
            "elsewhere": round(mean(bool(one.unknown_names) for one in asked if one.elsewhere), 3),
        },
        "calibration": calibration(hit for one in asked for hit in one.hits if hit.judged),
        "n": len(asked),
        "weights": asdict(packaged_relevance()),
    }
    if arguments.fit:
        figures["held_out"] = held_out(asked)
        say(toml_of(fit(asked)))
    tell(figures, as_json=arguments.json)


if __name__ == "__main__":
    options = parser(__doc__ or "")
    options.add_argument("--data", type=Path, required=True, help="a file in the form of LoCoMo")
    options.add_argument("--fit", action="store_true", help="fit the weights to these conversations, and print them")
    options.add_argument("--dump", type=Path, help="where to write what was found, a line a question")
    main(options.parse_args())
