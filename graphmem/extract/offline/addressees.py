"""Who “I” and “you” are: the speaker of a turn, and whom it is said to.

That is the one other speaker of the session's last turns, or who the turn itself calls by name; nobody where there may
be two, where the other one is no person, and for what anybody but a person says: an assistant that tells its user about
themselves has it from them.
"""

from collections.abc import Iterable, Iterator, Sequence

from graphmem.extract.offline.names import called, proper
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import CALLED_NOBODY, GREETINGS, LISTED, THE_SECOND_PERSON
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import Context, ContextTurn, ThingName
from graphmem.model.persons import person_named, person_of_user

TURNS = 4
"""Of a session, that tell who is spoken to. More would hold people who have left."""

_CLOSING = frozenset(".!?…")


def addressee(
    episode: Episode, speaker: ThingName | None, context: Context, called: Sequence[ThingName]
) -> ThingName | None:
    """Who “you” is, in an episode that calls somebody by name or does not.

    None where nothing tells, or two things tell different persons.
    """
    if not episode.role.is_human or speaker is None:
        return None
    mine = _who(episode, episode.user)
    turns = {who: turn for turn in context.turns if (who := _who(turn, episode.user)) != mine}
    known = [name for turn in turns.values() if (name := _named(turn, episode.user)) and name != speaker]
    if len(known) < len(turns):
        return None
    one = _one_of([name for name in called if not _alike(name, speaker)])
    if not turns:
        return one
    alike = [name for name in known if not called or (one and _alike(name, one))]
    return alike[0] if len(alike) == 1 else None


def _who(turn: ContextTurn | Episode, user: str) -> tuple[bool, str | None]:
    """Who speaks in a turn of a user's memory: whatever the user is called there, it is the user."""
    if turn.role is EpisodeRole.USER and user:
        return True, None
    return False, turn.speaker if turn.role.is_human else f"{turn.role}:"


def _named(turn: ContextTurn, user: str) -> ThingName | None:
    if turn.role is EpisodeRole.USER and user:
        return person_of_user(user, turn.speaker or "")
    return person_named(turn.speaker) if turn.role.is_human and turn.speaker else None


def _alike(name: ThingName, other: ThingName) -> bool:
    """Whether both may be one person's: the words of one are among those of the other."""
    words, others = (set(normalise_name(each.name).split()) for each in (name, other))
    return words <= others or others <= words


def _one_of(names: Sequence[ThingName]) -> ThingName | None:
    """The one person that all the names are of."""
    longest = max(names, key=lambda name: len(name.name), default=None)
    return longest if longest and all(_alike(name, longest) for name in names) else None


def vocatives(parse: Parse, *, surely: bool = True) -> Iterator[ThingName]:
    """Whom the text calls by name: “Hi Anna!”, “Anna, did you …”, “Did you see it, Anna?”.

    Not ``surely``: also those that it may call, because a comma sets them off at the beginning or at the end.
    """
    yield from (found.name for found in called(parse))
    for last in parse.tokens:
        found = proper(parse, last, "person") if _may_be_called(parse, last) else None
        if found is None:
            continue
        sentence = parse.within(parse.sentence_of(last))
        before = [token for token in sentence if token.end <= found.start and not token.text.isspace()]
        after = [token for token in sentence if token.start >= found.end and not token.text.isspace()]
        greeted = any(token.text.casefold() in GREETINGS for token in before)
        to_you = not surely or _to_somebody(sentence)
        known = last.label == "PERSON" and (_opens(before, after, to_you=to_you) or (to_you and _closes(before, after)))
        if known or (greeted and _opens(before, after, to_you=to_you)):
            yield found.name


def _may_be_called(parse: Parse, token: Token) -> bool:
    """Whether a person's name may end with the token, for all that is known."""
    goes_on = token.i + 1 < len(parse.tokens) and parse.tokens[token.i + 1].proper
    return token.proper and not goes_on and token.label in ("PERSON", "") and token.text.casefold() not in CALLED_NOBODY


def _opens(before: Sequence[Token], after: Sequence[Token], *, to_you: bool) -> bool:
    if not all(token.text.casefold() in GREETINGS or token.dep == "punct" for token in before):
        return False
    if any(token.text.casefold() in GREETINGS for token in before):
        return not after or after[0].dep == "punct"
    if any(token.text == "!" for token in after) and all(token.text[0] in _CLOSING for token in after):
        return True
    comma, following = after[:1], after[1:2]
    if not following or comma[0].text != "," or following[0].proper or following[0].tag in ("PRP$", "DT", "WP"):
        return False
    return to_you and following[0].text.casefold() not in LISTED


def _closes(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """After a comma, before the end; “my brother, Tom” says who the brother is."""
    alone = all(token.text[0] in _CLOSING for token in after)
    return alone and len(before) > 1 and before[-1].text == "," and not before[-2].tag.startswith("NN")


def _to_somebody(tokens: Iterable[Token]) -> bool:
    return any(token.text.casefold() in THE_SECOND_PERSON for token in tokens)
