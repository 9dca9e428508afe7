"""Weights fitted to labelled questions: asks a service for long lists, ranks these anew, and writes the file."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from math import isclose

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.rank.judged import RANKS, SESSION, Example, ListedTurn, Recall
from bench.rank.labelled import Labelled
from bench.rank.training import Trained, folds_of, train
from graphmem import __version__
from graphmem.answers.episodes import EpisodeOut
from graphmem.answers.search import HitOut
from graphmem.client.synchronous import GraphmemClient
from graphmem.errors import CallerError, Conflict, ModelUnavailable, NotFound
from graphmem.retrieve.weights import TurnWeights, Weights

DEPTH = 100
"""Hits of a question: as many as a search gives."""
_TRIES = 3
_NAMES = frozenset(each.name for each in fields(TurnWeights))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was fitted to what. ``within`` is the share of the answers that the long lists have: no order finds more."""

    trained: Trained
    questions: int
    groups: int
    within: float
    models: tuple[str, ...]

    def __str__(self) -> str:
        trained = self.trained
        parts = f"{trained.folds} parts of {'the groups' if trained.by_group else 'the questions'}"
        lines = [
            f"{self.questions} questions, {self.groups} groups.",
            f"Their lists of {DEPTH} have {self.within:.3f} of the answers.",
            f"{'Recall among the first':<48}" + "".join(f"{rank:>7}" for rank in RANKS),
            _row("before", trained.before),
            _row("after, on the questions it was fitted to", trained.after),
            _row(f"after, each of {parts} left out", trained.held_out),
        ]
        return "\n".join(lines if trained.gains else [*lines, *_NO_GAIN])


_NO_GAIN = (
    "Fitted to other questions, weights find no more than those before: keep those, or label more questions",
    "of more groups.",
)


def fit_to(
    client: GraphmemClient, questions: Sequence[Labelled], weights: Weights, console: Console
) -> tuple[Weights, Report]:
    """``weights``, by which the service ranks, with those of turns fitted to the questions.

    Raises:
        NotFound: there is no such group, or nothing that answers any of the questions is found.
        Conflict: the service ranks by other weights.
        ModelUnavailable: searches go without vectors, or some texts have none yet.
    """
    models = _models(client, questions)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        asking = progress.add_task("Asking", total=len(questions))
        examples = list[Example]()
        for question in questions:
            examples.append(example(client, question, weights))
            progress.advance(asking)
        within = _within(examples)
        fitting = progress.add_task("Fitting", total=len(folds_of(examples)) + 1)
        trained = train(examples, weights.turns, lambda: progress.advance(fitting))
    groups = len({one.group for one in examples})
    report = Report(trained=trained, questions=len(examples), groups=groups, within=within, models=models)
    return replace(weights, turns=trained.weights), report


def written(weights: Weights, report: Report, *, start: str, now: datetime) -> str:
    """A file of weights that says where they are from; ``start`` names those that the fit began with."""
    header = [
        f"Weights of turns, fitted by `python -m bench.rank` (graphmem {__version__}) on {now.date()}, by coordinate",
        f"ascent to recall at 5, 10 and 20 on labelled questions, from {start} on.",
        "The other weights are as they were there.",
        f"They go with {', '.join(report.models)}.",
        "",
        *str(report).splitlines(),
    ]
    comment = [f"# {line}".rstrip() for line in header]
    tables = (
        [f"[{table}]", *(f"{name} = {value}" for name, value in of.items())] for table, of in weights.tables.items()
    )
    return "\n\n".join("\n".join(block) for block in (comment, *tables)) + "\n"


def _row(name: str, recall: Recall) -> str:
    return f"{name:<48}" + "".join(f"{recall[rank]:>7.3f}" for rank in RANKS)


def _models(client: GraphmemClient, questions: Iterable[Labelled]) -> tuple[str, ...]:
    """The embedding models of the groups."""
    first = {question.group: question for question in reversed(list(questions))}
    models = set[str]()
    for group, question in sorted(first.items()):
        with _told_where(question):
            models.add(client.group(group).embedding_model)
    return tuple(sorted(models))


def example(client: GraphmemClient, question: Labelled, weights: Weights) -> Example:
    """The list of a question, with what says in it for each turn before it is weighted.

    Raises:
        Conflict: the service ranks by other weights.
        ModelUnavailable: the search went without a channel.
    """
    found = [_listed_turn(hit, question, weights) for hit in _hits(client, question)]
    wanted = max(question.wanted, sum(one.answers for one in found))
    return Example(group=question.group, candidates=tuple(found), wanted=wanted)


def _hits(client: GraphmemClient, question: Labelled) -> list[HitOut]:
    degraded = ""
    for _ in range(_TRIES):
        with _told_where(question):
            answer = client.search(
                question.group, question.question, limit=DEPTH, kinds=["episode"], explain=True, **question.asked
            )
        if not answer.degraded:
            return answer.hits
        degraded = answer.degraded[0].detail
    raise ModelUnavailable(
        f"{question.where}: the search went without a channel: {degraded} Weights that are "
        f"fitted to such lists fit no others. Run the same command again once that is over."
    )


def _listed_turn(hit: HitOut, question: Labelled, weights: Weights) -> ListedTurn:
    """A hit by its reasons. The trainer computes that of its session; what is no weight stays as it is."""
    worth, turns = weights.kinds["turns"], weights.turns
    scores, fixed = dict[str, float](), 0.0
    for part in hit.contributions or ():
        name, score = part.channel, part.score
        if name not in _NAMES:
            fixed += part.contribution / worth
            continue
        if not isclose(part.contribution, worth * getattr(turns, name) * score, rel_tol=1e-6, abs_tol=1e-9):
            raise Conflict(
                f"The service ranks by other weights than these: for one, {name!r} counts otherwise. Give --weights "
                f"the file that search.weights of the service names; if it names none, take search.weights out of the "
                f"settings here."
            )
        if name != SESSION:
            scores[name] = score
    episode = hit.thing if isinstance(hit.thing, EpisodeOut) else None
    return ListedTurn(
        id=hit.id,
        session=(episode and episode.session) or "",
        scores=scores,
        fixed=fixed,
        answers=episode is not None and question.is_answered_by(episode),
    )


def _within(examples: Sequence[Example]) -> float:
    """The mean share of the answers that the lists have.

    Raises:
        NotFound: none has any.
    """
    shares = [sum(one.answers for one in example.candidates) / example.wanted for example in examples]
    if not any(shares):
        raise NotFound(
            f"None of the first {DEPTH} hits of any question answers it. See whether `group`, `ids` and `external_ids` "
            f"are those of the episodes in the service, and whether `valid_at` and `user` let them be seen."
        )
    return sum(shares) / len(shares)


@contextmanager
def _told_where(question: Labelled) -> Generator[None]:
    """What is wrong with a request is wrong with a line of the file."""
    try:
        yield
    except CallerError as error:
        raise type(error)(f"{question.where}: {error}") from error
