"""What is left of a conversation in its summaries, against sentences that somebody wrote about it.

    python -m bench.summaries --data FILE --json [--dump FILE]

Reads conversations in the form of LoCoMo. The extractor reads the turns in this process, and each session, taken as
closed, is summarised in windows of 20 turns (`graphmem.derived.summarise`); a claim that something ended is no belief
of a summary. A figure is of all conversations, `by_conversation` of each.

`observation_coverage`: the share of the file's observations for which a sentence of the summary of their session has a
MiniLM cosine of .6 or more; `event_coverage` the same for its events. `ceiling` is that of the file's own summary of
the session, `floor` that of “speaker: ” and the first sentence of each turn, in order, as many as have room in the
tokens of ours, `chance` that of our summary of the next session: what names and a common subject bring. `of_ceiling` is
the value by the ceiling, `of_way` how far it is from floor (0) to ceiling (1). `…_at_70` asks for a cosine of .7.

`compression` is 1 - tokens of summary / tokens of what was said, the mean over windows; `least_compression` that of the
worst. Tokens are MiniLM's. `verbatim_turns` are in no summary. `seconds_per_100_turns` and `ms_per_window` are of
choosing and embedding sentences, without the extraction, which is done when a turn comes in.

`summary_in_top5`: the share of `questions` for which one of the first five summaries that a search of the service finds
covers a turn of their evidence; each conversation is told to the service in a group of its own, and its sessions are
closed. `…_by_cosine` is the same of the five whose vectors are nearest to the question, `…_by_parts` of those whose
sentences and turns are (`Judge.found`), `…_by_chance` what five summaries drawn at random would cover.

Where a language model is configured that reads episodes (your `graphmem.toml`, `ANTHROPIC_API_KEY` …), `model` has the
same figures of the summaries that it writes, with its `calls`, the tokens and the cost of them, and how many summaries
were `refused` since it wrote none that could be used. The service is asked without it.

`thousand_turns` takes all conversations as one long talk, each 1,000 turns of it as an open session, and of the windows
and meta summaries those that no other covers: `turns_by_summaries` is how many times more tokens were said, and
`observation_coverage` that of the sessions which lie in the 1,000 turns.
"""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from bench.common import parser, say, service, tell
from bench.reading import MODEL
from bench.summaries.judging import Coverage, Judge, Score, share
from bench.summaries.making import Summariser, Vectors
from bench.summaries.searching import of_service
from bench.summaries.told import Conversations, Question, Session, beliefs, conversations, read
from graphmem.client.synchronous import GraphmemClient
from graphmem.embed.local import LocalEmbedder
from graphmem.extract.providers import Extractors
from graphmem.settings import Settings, load_settings
from graphmem.settings.recall import EmbeddingSettings

LONG = 1_000
"""Turns of a long session."""
Figures = dict[str, object]


async def measure(told: Conversations, settings: Settings) -> tuple[dict[str, Figures], list[str]]:
    """The figures of each strategy, and all summaries of windows."""
    await read(told.sessions)
    embedder, extractors = LocalEmbedder(EmbeddingSettings(model=MODEL)), Extractors(settings)
    embedder.warm()
    vectors, figures, contents = Vectors(embedder), dict[str, Figures](), list[str]()
    ways = {"offline": Summariser(vectors)}
    if extractors.summary_writer is not None:
        ways["model"] = Summariser(vectors, extractors.summary_writer)
    try:
        for name, summariser in ways.items():
            say(f"Summaries: {name}")
            figures[name], made = await of_all(told, summariser, Judge(vectors, summariser))
            contents += made
    finally:
        await extractors.aclose()
        embedder.close()
    if "model" in ways:
        figures["model"] |= spent(ways["model"])
    return figures, contents


async def of_all(told: Conversations, summariser: Summariser, judge: Judge) -> tuple[Figures, list[str]]:
    """The figures of one strategy, and its summaries of windows."""
    whole, each = Score(), Figures()
    for name, questions in told.questions.items():
        sessions = [session for session in told.sessions if session.conversation == name]
        score = await of_conversation(sessions, questions, summariser, judge)
        each[name] = score.figures()
        whole.add(score)
        say(f"{name}: {each[name]}")
    in_one = await of_long_sessions(told.sessions, summariser, judge)
    figures: Figures = {**whole.figures(), "thousand_turns": in_one, "by_conversation": each}
    return figures, [one.text.content for one in whole.made]


def spent(summariser: Summariser) -> Figures:
    """What a language model took for all summaries, and how many of them it could not write."""
    asked = summariser.asked
    return {
        "calls": sum(one.calls for one in asked),
        "input_tokens": sum(one.input_tokens + one.cached_tokens for one in asked),
        "output_tokens": sum(one.output_tokens for one in asked),
        "cost": None if any(one.cost is None for one in asked) else sum(one.cost or 0 for one in asked),
        "refused": summariser.refused,
    }


async def of_conversation(
    sessions: Sequence[Session], questions: Sequence[Question], summariser: Summariser, judge: Judge
) -> Score:
    score = Score()
    made = [await summariser.windows(session.turns, [*beliefs(session)]) for session in sessions]
    for session, ours, next_ones in zip(sessions, made, [*made[1:], *made[:1]], strict=True):
        score.add(await judge.session(session, ours, next_ones))
    turns = {session.dialogue[stored.id]: stored for session in sessions for stored in session.turns}
    score.finding = await judge.found(questions, score.made, turns)
    return score


async def of_long_sessions(sessions: Sequence[Session], summariser: Summariser, judge: Judge) -> dict[str, object]:
    said, kept, covered, count = 0, 0, Coverage(), 0
    all_turns = [(session, stored) for session in sessions for stored in session.turns]
    for at in range(0, len(all_turns) - LONG + 1, LONG):
        part = all_turns[at : at + LONG]
        turns = [stored for _, stored in part]
        inside = {session.turns[0].episode.session: session for session, _ in part}
        made = await summariser.windows(turns, [one for it in inside.values() for one in beliefs(it)], closed=False)
        top = await summariser.topmost(made, len(turns))
        ids = {stored.id for stored in turns}
        wanted = [one for it in inside.values() if ids.issuperset(it.dialogue) for one in it.observations]
        covered.add(await judge.coverage(wanted, [line for one in top for line in one.text.lines]))
        said, kept, count = said + sum(one.said for one in made), kept + sum(one.text.tokens for one in top), count + 1
    return {
        "sessions": count,
        "turns_by_summaries": round(said / kept, 1) if kept else None,
        "observation_coverage": share(covered.value, covered.wanted),
    }


def main(options: Namespace) -> None:
    if not options.data.is_file():
        raise SystemExit(f"{options.data} is absent: nothing was measured.")
    told = conversations(options.data)
    if not told.sessions:
        raise SystemExit(f"{options.data} holds no session.")
    figures, made = asyncio.run(measure(told, load_settings()))
    with service(options) as found, found.client() as client, GraphmemClient(found.url, found.token) as memory:
        figures["offline"] |= of_service(client, memory, options.data)
    if options.dump:
        options.dump.write_text("\n\n".join(made), "utf-8")
    tell({**figures}, as_json=options.json)


if __name__ == "__main__":
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, help="conversations in the form of LoCoMo")
    arguments.add_argument("--dump", type=Path, help="write the summaries of all windows to this file")
    main(arguments.parse_args())
