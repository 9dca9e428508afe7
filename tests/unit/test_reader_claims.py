"""From what the trained reader reads to claims: of whom, of what, since when, and what becomes of the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.extract.offline.claims.provider import ReaderProvider
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.reader.claims import OF_SPEAKER, ClaimSubject, TurnClaim, Whose
from graphmem.extract.reader.labels import PREDICATES, Effect, Predicate, Status
from graphmem.extract.reader.layout import SpokenTurn
from graphmem.model.claim import ClaimKind, ClaimStatus
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ALONE, Context, ContextTurn, ProposedClaim, ThingName
from graphmem.model.interval import BEGIN
from graphmem.model.projection.predicate import BUILT_IN, MANY

WEDNESDAY = datetime(2025, 6, 18, 10, tzinfo=UTC)
WEEK_BEFORE = datetime(2025, 6, 11, 10, tzinfo=UTC)
NADIA = "Nadia"


@dataclass
class Marked:
    """A claim by its words: what the trained reader is to read."""

    predicate: Predicate
    value: str
    effect: Effect = "holds"
    status: Status = "asserted"
    of: str = ""
    meant: str = ""
    meant_by: str = ""
    time: str = ""
    beside: bool = False
    foreign: float = 0.0
    user: bool = False


@dataclass
class MarkedReader:
    """Reads in each turn what is marked there, and keeps the turns that it was given."""

    marked: Mapping[str, Sequence[Marked]]
    given: list[SpokenTurn] = field(default_factory=list[SpokenTurn])

    def warm(self) -> None:
        """There is nothing to load."""

    def read(self, turn: SpokenTurn) -> list[TurnClaim]:
        self.given.append(turn)
        return [_claim(turn.text, each) for each in self.marked.get(turn.text, ())]


def _claim(text: str, marked: Marked) -> TurnClaim:
    def place(words: str) -> tuple[int, int]:
        return text.index(words), text.index(words) + len(words)

    subject = ClaimSubject(Whose.USER) if marked.user else OF_SPEAKER
    return TurnClaim(
        predicate=marked.predicate,
        effect=marked.effect,
        status=marked.status,
        beside=marked.beside,
        value=place(marked.value),
        subject=ClaimSubject(Whose.NAMED, place(marked.of), marked.meant, marked.meant_by) if marked.of else subject,
        time=place(marked.time) if marked.time else None,
        foreign=marked.foreign,
        score=1.0,
    )


def said(content: str, role: EpisodeRole = EpisodeRole.USER, speaker: str | None = NADIA) -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=WEDNESDAY, role=role, speaker=speaker)


def claims(
    content: str, *marked: Marked, episode: Episode | None = None, context: Context = ALONE
) -> list[ProposedClaim]:
    reader = ReaderProvider(MarkedReader({content: marked}))
    return list(reader.read(episode or said(content), content, context).claims)


def target(claim: ProposedClaim) -> object:
    return claim.value if claim.object is None else claim.object.name


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def test_each_predicate_means_something() -> None:
    assert list(MEANINGS) == list(PREDICATES)
    for name, meaning in MEANINGS.items():
        assert all("{}" in words for words in meaning.says), name


@pytest.mark.parametrize(
    ("content", "marked", "expected"),
    [
        ("I live in Lyon.", Marked("lives_in", "Lyon"), (NADIA, "lives_in", "Lyon", "Nadia lives in Lyon.")),
        ("i live in lyon", Marked("lives_in", "lyon"), (NADIA, "lives_in", "Lyon", "Nadia lives in Lyon.")),
        ("Ana is at Otto.", Marked("works_at", "Otto", of="Ana"), ("Ana", "works_at", "Otto", "Ana works at Otto.")),
        ("I'm a nurse.", Marked("works_as", "nurse"), (NADIA, "works_as", "nurse", "Nadia works as a nurse.")),
        ("I'm 34.", Marked("age", "34"), (NADIA, "age", "34", "Nadia is 34 years old.")),
        (
            "She is 4.",
            Marked("age", "4", of="She", meant="my daughter"),
            ("Nadia's daughter", "age", "4", "Nadia's daughter is 4 years old."),
        ),
        (
            "My wife is ill.",
            Marked("partner", "wife"),
            (NADIA, "partner", "Nadia's wife", "Nadia is together with Nadia's wife."),
        ),
        (
            "My mother is a nurse.",
            Marked("works_as", "nurse", of="My mother"),
            ("Nadia's mother", "works_as", "nurse", "Nadia's mother works as a nurse."),
        ),
        (
            "Boss is away in Rome.",
            Marked("traveled_to", "Rome", of="Boss"),
            ("Nadia's boss", "visited", "Rome", "Nadia's boss visited Rome."),
        ),
        (
            "He moved to Lyon.",
            Marked("lives_in", "Lyon", "starts", of="He", meant="your brother", meant_by="assistant"),
            ("Nadia's brother", "lives_in", "Lyon", "Nadia's brother lives in Lyon."),
        ),
        (
            "Is she at Otto?",
            Marked("works_at", "Otto", of="she", meant="My daughter", meant_by="Ana"),
            ("Ana's daughter", "works_at", "Otto", "Ana's daughter works at Otto."),
        ),
        (
            "Tom broke my bike.",
            Marked("event", "broke my bike", of="Tom"),
            ("Tom", "event", "broke Nadia's bike", "Tom broke Nadia's bike."),
        ),
        (
            "We went to the US.",
            Marked("event", "went to the US"),
            (NADIA, "event", "went to the US", "Nadia went to the US."),
        ),
        (
            "I work at McDonald's.",
            Marked("works_at", "McDonald's"),
            (NADIA, "works_at", "McDonald's", "Nadia works at McDonald's."),
        ),
        (
            "Call (555) 010-2345.",
            Marked("phone", "(555) 010-2345"),
            (NADIA, "phone", "(555) 010-2345", "Nadia has the phone number (555) 010-2345."),
        ),
        (
            "The key is under the stairs.",
            Marked("located_at", "under the stairs", of="The key"),
            ("Nadia's key", "located_at", "under the stairs", "Nadia's key is under the stairs."),
        ),
        (
            "I lived in Rome from 2015 to 2021.",
            Marked("lives_in", "Rome", time="from 2015 to 2021"),
            (NADIA, "lives_in", "Rome", "Nadia lived in Rome."),
        ),
        (
            "The rent is 900 euros.",
            Marked("price", "900 euros", of="The rent"),
            ("Nadia's rent", "price", "900 euros", "Nadia's rent is 900 euros."),
        ),
        (
            "Ticket 5518 is closed.",
            Marked("status", "closed", of="Ticket 5518"),
            ("Ticket 5518", "status", "closed", "Ticket 5518 is closed."),
        ),
        (
            "I run every Sunday.",
            Marked("habit", "run", time="every Sunday"),
            (NADIA, "habit", "run", "Nadia has the habit: run every Sunday."),
        ),
        (
            "I want to finish my novel by June.",
            Marked("goal", "finish my novel", status="wished", time="by June"),
            (NADIA, "goal", "finish their novel", "Nadia has the goal: finish their novel by June."),
        ),
        (
            "Ticket 5518 is due on Monday.",
            Marked("deadline", "Monday", of="Ticket 5518"),
            ("Ticket 5518", "due", "Monday", "Ticket 5518 is due Monday."),
        ),
    ],
)
def test_a_claim_says_of_whom_it_is_and_of_what(content: str, marked: Marked, expected: tuple[str, ...]) -> None:
    (claim,) = claims(content, marked)
    assert (claim.subject.name, claim.predicate, target(claim), claim.statement) == expected
    assert content[claim.quote_start : claim.quote_end] == content


@pytest.mark.parametrize(
    ("content", "marked"),
    [
        ("He works at Otto.", Marked("works_at", "Otto", of="He")),  # nobody knows who
        ("His boss is Ana.", Marked("boss", "Ana", of="His boss")),
        ("I live in “Lyon”.", Marked("lives_in", "Lyon", foreign=0.9)),
        ("Nadia is Nadia.", Marked("friend", "Nadia")),
        ("I may go to Rome.", Marked("plan", "go to Rome", status="wished")),
        ("The user lives in Lyon.", Marked("lives_in", "Lyon", user=True)),
        ("“My boss lives in Rome.”", Marked("lives_in", "Rome", of="My boss", foreign=0.9)),
        ("I want to live in Lyon.", Marked("lives_in", "Lyon", status="wished")),
        ("I'd love to quit my job.", Marked("works_at", "job", "ends", "wished")),
        ("We're going to leave Lyon.", Marked("lives_in", "Lyon", "ends", "planned")),
        ("My mail is gmail.", Marked("email", "gmail")),
        ("My number is new.", Marked("phone", "new")),
        ("I'm old.", Marked("age", "old")),
        ("The rent is steep.", Marked("price", "steep", of="The rent")),
        ("I got a job.", Marked("works_at", "job", "starts")),
        ("I stopped reporting to his brother.", Marked("boss", "his brother", "ends")),
    ],
)
def test_what_nobody_says_of_anybody_is_no_claim(content: str, marked: Marked) -> None:
    assert claims(content, marked) == []


@pytest.mark.parametrize(
    ("time", "effect", "expected"),
    [
        ("since March", "starts", (day(2025, 3, 1), None, "")),
        ("from August", "starts", (day(2024, 8, 1), None, "")),
        ("three weeks", "starts", (day(2025, 5, 26), None, "")),
        ("from 2015 to 2021", "holds", (day(2015, 1, 1), day(2022, 1, 1), "")),
        ("these days", "holds", (None, None, "")),
        ("since the second moon", "holds", (None, None, "since the second moon")),
        ("since the second moon", "starts", (BEGIN, None, "since the second moon")),
        ("last Friday", "ends", (day(2025, 6, 13), None, "")),
        ("for three years", "ends", (None, None, "")),
        ("before Christmas", "starts", (BEGIN, None, "before Christmas")),
        ("today", "starts", (day(2025, 6, 18), None, "")),
        # As people type.
        ("april", "starts", (day(2025, 4, 1), None, "")),
        ("last tues", "starts", (day(2025, 6, 17), None, "")),
        ("mid march", "starts", (day(2025, 3, 11), None, "")),
        ("since 30/4", "starts", (day(2025, 4, 30), None, "")),
        ("since 12th", "starts", (day(2025, 6, 12), None, "")),
        ("from the 3rd", "starts", (day(2025, 6, 3), None, "")),
        ("since the first of this month", "starts", (day(2025, 6, 1), None, "")),
        ("on the fifteenth", "starts", (day(2025, 6, 15), None, "")),
        ("2 hrs ago", "starts", (day(2025, 6, 18), None, "")),
        ("since 06:00", "starts", (day(2025, 6, 18), None, "")),
        ("since six years", "starts", (day(2019, 1, 1), None, "")),
        ("two Thursdays ago", "starts", (day(2025, 6, 5), None, "")),
        ("every Saturday since March", "starts", (day(2025, 3, 1), None, "")),
        ("since 30.04", "starts", (day(2025, 4, 30), None, "")),
        ("48 hours ago", "starts", (day(2025, 6, 16), None, "")),
        ("since we wed in 2019", "starts", (day(2019, 1, 1), None, "")),
        ("from All Saints", "starts", (day(2024, 11, 1), None, "")),
        ("since my school days", "starts", (BEGIN, None, "since my school days")),
        ("in autumn", "starts", (day(2024, 9, 1), None, "")),
        ("since Orthodox Easter", "starts", (day(2025, 4, 20), None, "")),
        ("all of April", "holds", (day(2025, 4, 1), day(2025, 5, 1), "")),
        ("till July", "holds", (None, day(2025, 7, 1), "")),
        # No time since when.
        ("on Mondays", "starts", (None, None, "")),
        ("twice a week", "starts", (None, None, "")),
        ("at 14:00", "starts", (None, None, "")),
    ],
)
def test_its_phrase_of_time_is_read_by_the_rules(
    time: str, effect: Effect, expected: tuple[datetime | None, datetime | None, str]
) -> None:
    (claim,) = claims(f"I'm vegan {time}.", Marked("diet", "vegan", effect, time=time))
    assert (claim.valid_from, claim.valid_to, claim.time_unread) == expected


@pytest.mark.parametrize(
    ("content", "marked", "expected"),
    [
        ("Officially I'm Ana and he's Ben Ode.", Marked("named", "Ben Ode"), None),
        ("I share with Rui, and he's a baker.", Marked("works_as", "baker"), None),
        ("Ask Rui at Otto about it.", Marked("works_at", "Otto"), ("Rui", "works_at")),
        ("I met Zoe Ode, a baker.", Marked("works_as", "baker"), ("Zoe Ode", "works_as")),
        ("We play Kim, thief, thirty-two.", Marked("age", "thirty-two"), ("Kim", "age")),
        ("I live in Porto, a baker by trade.", Marked("works_as", "baker"), (NADIA, "works_as")),
        ("I am Zoe, a baker.", Marked("works_as", "baker"), (NADIA, "works_as")),
        ("My son Rui is here.", Marked("partner", "Rui"), (NADIA, "child")),
        ("- sister: Rui", Marked("friend", "Rui"), (NADIA, "friend")),
        ("- sister: Rui", Marked("partner", "Rui"), (NADIA, "sibling")),
        ("My boss's son Rui is here.", Marked("partner", "Rui"), (NADIA, "partner")),
        ("Bro, Rui is my friend.", Marked("partner", "Rui"), (NADIA, "partner")),
        ("We got a puppy, she's Luna.", Marked("pet", "Luna"), (NADIA, "pet")),
        ("I joined Otto, a baker.", Marked("works_as", "baker"), (NADIA, "works_as")),
        ("I start Monday, a baker.", Marked("works_as", "baker"), (NADIA, "works_as")),
        ("I called Rui from Porto, my home.", Marked("lives_in", "Porto"), (NADIA, "lives_in")),
        ("My boss is Rui - no nonsense, very direct.", Marked("boss", "Rui"), (NADIA, "boss")),
        ("I landed in Porto after college.", Marked("lives_in", "Porto"), (NADIA, "lives_in")),
    ],
)
def test_whose_a_value_is_and_which_relation_is_said_right_before_it(
    content: str, marked: Marked, expected: tuple[str, str] | None
) -> None:
    found = [(claim.subject.name, claim.predicate) for claim in claims(content, marked)]
    assert found == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("content", "marked"),
    [
        ("My boss is Rui... no, rubbish, he left.", Marked("boss", "Rui")),
        ("I live in Porto — wait, no.", Marked("lives_in", "Porto")),
        ("Aunt May insists on 12 chairs.", Marked("quantity", "12", of="chairs")),
        ("just landed in Porto for a day", Marked("lives_in", "Porto")),
        ("I'm on a trip to Porto.", Marked("lives_in", "Porto")),
    ],
)
def test_what_is_withdrawn_at_once_or_wished_for_by_others_or_passed_through_is_not_so(
    content: str, marked: Marked
) -> None:
    assert claims(content, marked) == []


def test_a_pet_that_died_is_nobodys_any_more() -> None:
    content = "We had a dog, Flann. Flann died on Monday, as Tom did."
    *_, end = claims(
        content,
        Marked("pet", "Flann"),
        Marked("event", "died", of="Tom"),
        Marked("event", "died", of="Flann", time="on Monday"),
    )
    assert (end.kind, end.predicate, target(end), end.valid_from) == (ClaimKind.ENDS, "pet", "Flann", day(2025, 6, 16))
    died, end = claims("Tom died on Monday.", Marked("event", "died", of="Tom", time="on Monday"))  # was he a pet?
    assert (died.kind, end.kind) == (ClaimKind.STARTS, ClaimKind.ENDS)
    known = Context(known=(ThingName("Tom", "person"),))
    (died,) = claims("Tom died on Monday.", Marked("event", "died", of="Tom", time="on Monday"), context=known)
    assert died.kind is ClaimKind.STARTS
    (end, _) = claims("flann died monday", Marked("partner", "flann", "ends", time="monday"))
    assert (end.predicate, target(end)) == ("partner", "Flann")
    assert [claim.predicate for claim in claims("flann died", Marked("friend", "flann", "ends"))] == ["friend", "pet"]
    assert len(claims("My cousin Flann died.", Marked("friend", "Flann", "ends"))) == 1
    assert len(claims("laptop died", Marked("event", "died", of="laptop"))) == 1
    (died,) = claims("My uncle died on Monday.", Marked("event", "died", of="My uncle", time="on Monday"))
    assert died.kind is ClaimKind.STARTS


def test_what_goes_on_for_so_long_does_not_end_and_who_is_parted_is_no_partner() -> None:
    (lived,) = claims("I have lived in Rome for ages.", Marked("lives_in", "Rome", "ends", time="for ages"))
    (left,) = claims("I have not lived in Rome for ages.", Marked("lives_in", "Rome", "ends", time="for ages"))
    assert (lived.kind, left.kind) == (ClaimKind.STARTS, ClaimKind.ENDS)
    for content in ("So Tom and I are divorced.", "Tom is not my boyfriend."):
        (end,) = claims(content, Marked("partner", "Tom", "starts"))
        assert end.kind is ClaimKind.ENDS, content
    (wrong,) = claims("I told you wrong: I don't live in Rome.", Marked("lives_in", "Rome", "denies"))
    assert wrong.kind is ClaimKind.REJECTS
    notice = Marked("works_at", "Otto", "ends", "planned", time="this morning")
    assert claims("I gave notice at Otto this morning.", notice) == []


@pytest.mark.parametrize(
    ("content", "value", "kept"),
    [
        ("I haven't quit Acme.", "Acme", True),
        ("I never left Acme.", "Acme", True),
        ("We aren't there yet, but I'm not going to leave Acme.", "Acme", True),
        ("I haven't stopped working at Acme.", "Acme", True),
        ("We aren't leaving Acme.", "Acme", True),
        ("I haven't left Acme but I quit Otto.", "Otto", False),
        ("I'm not happy and I left Acme.", "Acme", False),
        ("I don't give up easily, but I no longer work at Acme.", "Acme", False),
        ("I never quit anything, but I retired from Acme.", "Acme", False),
        ("I did not leave Acme until May.", "Acme", False),
        ("I didn't quit Acme, I was fired.", "Acme", False),
        ("I wish I had never left Acme.", "Acme", False),
    ],
)
def test_what_is_said_not_to_end_goes_on(content: str, value: str, *, kept: bool) -> None:
    for effect in ("ends", "denies"):
        assert [claim.kind.asserts for claim in claims(content, Marked("works_at", value, effect))] in (
            [[True]] if kept else [[False], []]
        ), effect


def test_what_ends_for_good_ends() -> None:
    for content, marked in (
        ("I left Acme for the night shift at Otto.", Marked("works_at", "Acme", "ends")),
        ("I stopped taking warfarin for the day.", Marked("medication", "warfarin", "ends")),
        ("I moved out of the house in May.", Marked("lives_in", "house", "ends", time="in May")),
    ):
        assert {claim.kind for claim in claims(content, marked)} == {ClaimKind.ENDS}, content


def test_what_is_of_the_moment_is_no_state() -> None:
    for content, marked in (
        ("Acme let me go for today.", Marked("works_at", "Acme", "ends")),
        ("She joined the call late.", Marked("works_at", "call late", "starts")),
        ("I live in hope.", Marked("lives_in", "hope")),
        ("I skipped metformin today.", Marked("medication", "metformin", "ends", time="today")),
        ("I still live at the old place.", Marked("lives_in", "old place")),
        ("I left the group.", Marked("member_of", "group", "ends")),
    ):
        assert claims(content, marked) == [], content


def test_a_pronoun_means_the_only_other_person_of_the_sentence_the_turn_or_what_was_before() -> None:
    vegan = Marked("diet", "vegan", of="she")
    ana, bob = ThingName("Ana", "person"), ThingName("Bob", "person")
    for content, known, expected in (
        ("Ana says she is vegan.", (ana, bob), "Ana"),
        ("Bob left. Ana says she is vegan.", (ana, bob), "Ana"),
        ("I met Ana. Now she is vegan.", (ana, bob), "Ana"),
        ("I met Ana and Bob. Now she is vegan.", (ana, bob), None),
        ("Now she is vegan.", (ana, bob), None),
    ):
        found = claims(content, vegan, context=Context(known=known))
        assert [claim.subject.name for claim in found] == [expected] * (expected is not None), content
    asked = ContextTurn(role=EpisodeRole.ASSISTANT, speaker=None, content="Have you seen Ana?", occurred_at=WEDNESDAY)
    before = Context(known=(ana, bob), turns=(asked,))
    (claim,) = claims("Now she is vegan.", vegan, context=before)
    assert claim.subject.name == "Ana"


def test_a_sentence_about_somebody_else_says_nothing_of_who_speaks() -> None:
    known = Context(known=(ThingName("Ana", "person"),))
    for content, whose in (
        ("Ana joined Otto in May.", "Ana"),
        ("Ana and I joined Otto in May.", NADIA),
        ("Joined Otto in May, as Ana knows.", NADIA),
    ):
        (claim,) = claims(content, Marked("works_at", "Otto", "starts", time="in May"), context=known)
        assert claim.subject.name == whose, content


@pytest.mark.parametrize(
    ("content", "marked", "times"),
    [
        (
            "I take zinc for ten days counting from today.",
            [Marked("medication", "zinc", time="from today")],
            [(day(2025, 6, 18), day(2025, 6, 28))],
        ),
        (
            "I joined the rowing club on a three-month trial from 1 March.",
            [Marked("member_of", "rowing club", "starts", time="from 1 March")],
            [(day(2025, 3, 1), day(2025, 6, 1))],
        ),
        (
            "It's three years this month that I live in Bonn.",
            [Marked("lives_in", "Bonn", time="three years this month")],
            [(day(2022, 6, 1), None)],
        ),
        (
            "I work at Otto. I've been there since March 2021.",
            [Marked("works_at", "Otto")],
            [(day(2021, 3, 1), None)],
        ),
        (
            "I live in Bonn. This cough is awful. I've had it since May.",
            [Marked("lives_in", "Bonn")],
            [(None, None)],
        ),
        (
            "I own a Tesla. My sister lives in Bonn. I've had it since 2021.",
            [Marked("owns", "Tesla"), Marked("lives_in", "Bonn", of="My sister")],
            [(None, None), (None, None)],
        ),
        (
            "I take zinc for ten days this month.",
            [Marked("medication", "zinc", time="this month")],
            [(day(2025, 6, 1), None)],
        ),
        (
            "I moved to Bonn. The rent is 900 as of 1 May.",
            [
                Marked("lives_in", "Bonn", "starts", time="as of 1 May"),
                Marked("price", "900", of="rent", time="as of 1 May"),
            ],
            [(None, None), (day(2025, 5, 1), None)],
        ),
        (
            "On the 22nd I turn 35.",
            [Marked("age", "35", "starts", "planned")],
            [(day(2025, 6, 22), day(2026, 6, 23))],
        ),
    ],
)
def test_a_phrase_of_time_is_that_of_what_it_stands_by(
    content: str, marked: list[Marked], times: list[tuple[datetime | None, datetime | None]]
) -> None:
    assert [(one.valid_from, one.valid_to) for one in claims(content, *marked)] == times


def test_what_has_been_so_from_the_start_begins_nothing() -> None:
    (found,) = claims("Paul has been my boss since day one.", Marked("boss", "Paul", "starts", time="since day one"))
    assert (found.kind, found.valid_from, found.time_unread) == (ClaimKind.HOLDS, None, "")


def test_a_phrase_of_time_looks_where_its_own_clause_does() -> None:
    broken = Marked("health", "broke my hip", "starts", time="on Easter Monday")
    (hip,) = claims("I broke my hip on Easter Monday, so we will be leaving.", broken)
    assert hip.valid_from == day(2025, 4, 21)
    (school,) = claims(
        "I was ill, and I start at Otto on 26 August.", Marked("works_at", "Otto", "starts", time="on 26 August")
    )
    assert school.valid_from == day(2025, 8, 26)
    (moved,) = claims(
        "On the last day of June I move to Oslo.",
        Marked("lives_in", "Oslo", "starts", "planned", time="On the last day of June"),
    )
    assert moved.valid_from == day(2025, 6, 30)
    (stays,) = claims("I work at Otto until July.", Marked("works_at", "Otto", time="until July"))
    assert stays.valid_to == day(2025, 7, 1)
    (left,) = claims("I worked at Otto until July.", Marked("works_at", "Otto", "ends", time="until July"))
    assert left.valid_from == day(2024, 7, 1)
    (lived,) = claims("I lived in Rome until March.", Marked("lives_in", "Rome", time="until March"))
    assert lived.valid_to == day(2025, 3, 1)
    joins = Marked("works_at", "Otto", "starts", of="Tom", time="in August")
    (joined,) = claims("Tom is going to quit and join Otto in August.", joins)
    assert joined.valid_from == day(2025, 8, 1)
    slipped = Marked("event", "slipped on wet leaves", time="in October")
    (slip,) = claims("I slipped on wet leaves in October.", slipped)
    assert slip.valid_from == day(2024, 10, 1)
    as_of = Marked("works_at", "Otto", "starts", "planned", time="as of 1 August")
    (planned,) = claims("I start at Otto as of 1 August.", as_of)
    assert planned.valid_from == day(2025, 8, 1)


def test_what_is_over_ends_and_names_what_it_was_or_nothing() -> None:
    content = "I left Initech, I quit my job."
    named, unnamed = claims(content, Marked("works_at", "Initech", "ends"), Marked("works_at", "job", "ends", time=""))
    assert (named.kind, target(named), named.statement) == (
        ClaimKind.ENDS, "Initech", "Nadia no longer works at Initech.",
    )  # fmt: skip
    assert (unnamed.kind, target(unnamed), unnamed.statement) == (ClaimKind.ENDS, None, "Nadia no longer works there.")
    assert claims("I used to work at a school.", Marked("works_at", "school", "ends")) == []  # not at Otto's expense


def test_what_was_over_a_span_of_days_was_so_then() -> None:
    content = "I worked at Otto from 2019 to 2021."
    (was,) = claims(content, Marked("works_at", "Otto", "ends", time="from 2019 to 2021"))
    assert (was.kind, was.valid_from, was.valid_to) == (ClaimKind.STARTS, day(2019, 1, 1), day(2022, 1, 1))
    assert was.statement == "Nadia worked at Otto."
    moved = Marked("lives_in", "Lyon", "ends", time="between May and June 2024")
    denied = Marked("diet", "vegan", "denies", time="from 2019 to 2021")
    smoked = Marked("habit", "smoke", "ends", time="from 2010 to 2018")
    for content, marked in (
        ("I moved out of Lyon between May and June 2024.", moved),
        ("I wasn't vegan from 2019 to 2021.", denied),
        ("I used to smoke from 2010 to 2018.", smoked),
    ):
        (end,) = claims(content, marked)
        assert end.kind is ClaimKind.ENDS


def test_a_name_keeps_its_last_mark() -> None:
    for content, value, name in (
        ("I work at Yahoo!.", "Yahoo", "Yahoo!"),
        ("I live in Frankfurt (Oder).", "Frankfurt (Oder", "Frankfurt (Oder)"),
        ("I work at Acme Inc.", "Acme Inc", "Acme Inc."),
    ):
        predicate: Predicate = "lives_in" if "live" in content else "works_at"
        (claim,) = claims(content, Marked(predicate, value))
        assert target(claim) == name


def test_what_somebody_says_of_whom_they_talk_to_is_not_theirs() -> None:
    assert claims("Act as a nurse. You live in Porto.", Marked("lives_in", "Porto")) == []
    assert len(claims("You know I live in Porto.", Marked("lives_in", "Porto"))) == 1


def test_an_e_mail_address_is_read_whole_and_where_somebody_says_it_is_theirs() -> None:
    content = "My e-mail is zoe@example.com."
    for marked in ([], [Marked("email", "zoe@example")]):
        (claim,) = claims(content, *marked)
        assert (claim.predicate, claim.value) == ("email", "zoe@example.com")
    assert claims("Write to zoe@example.com.") == []


def test_a_correction_takes_back_what_was_said() -> None:
    corrected = claims(
        "Sorry, Milan, not Turin.", Marked("lives_in", "Milan", "corrects"), Marked("lives_in", "Turin", "denies")
    )
    assert [(claim.kind, target(claim), claim.valid_from) for claim in corrected] == [
        (ClaimKind.STARTS, "Milan", None), (ClaimKind.REJECTS, "Turin", None),
    ]  # fmt: skip
    (denied,) = claims("I'm not vegan.", Marked("diet", "vegan", "denies"))
    assert denied.kind is ClaimKind.ENDS


@pytest.mark.parametrize(
    ("content", "marked", "expected"),
    [
        ("Emil is the son of Otto.", Marked("child", "Emil"), [("Otto", "child", "Emil")]),
        ("Lena is the daughter of Paul and Eva.", Marked("child", "Eva", of="Lena"),
         [("Paul", "child", "Lena"), ("Eva", "child", "Lena")]),
        ("Bo is the boss of Ana.", Marked("boss", "Bo"), [("Ana", "boss", "Bo")]),
        ("Carla is a good friend of Tom’s.", Marked("friend", "Carla"), [("Tom", "friend", "Carla")]),
        ("Emil is my son.", Marked("child", "Emil"), [(NADIA, "child", "Emil")]),
        ("Globex was acquired by Initech.", Marked("owns", "Globex", "starts"), []),
        ("Luna was adopted by us.", Marked("pet", "Luna", "starts"), [(NADIA, "pet", "Luna")]),
        ("I became a father in April!", Marked("child", "father", "starts"), []),
        ("My bike was stolen by some kids.", Marked("drives", "bike", "ends"), [(NADIA, "drives", "bike")]),
    ],
)  # fmt: skip
def test_what_two_others_are_to_each_other_or_do_is_not_the_speakers(
    content: str, marked: Marked, expected: list[tuple[str, ...]]
) -> None:
    assert [(claim.subject.name, claim.predicate, target(claim)) for claim in claims(content, marked)] == expected


def test_who_is_greeted_is_not_who_speaks() -> None:
    for content, named in (("Hello, Ana.", 0), ("Hi Ana!", 0), ("Hi, Ana here.", 1), ("Hi, I'm Ana.", 1)):
        assert len(claims(content, Marked("named", "Ana"))) == named, content


def test_what_is_sold_to_the_speaker_is_theirs() -> None:
    (bought,) = claims("The bike was sold to me by Anna.", Marked("drives", "bike", "ends"))
    assert bought.kind is ClaimKind.STARTS


def test_a_mere_answer_is_quoted_for_what_was_asked_by_somebody_else() -> None:
    def answers(asked_by: EpisodeRole, speaker: str | None) -> list[ProposedClaim]:
        asked = ContextTurn(
            role=asked_by, speaker=speaker, content="Fine. So you moved to Porto, right?", occurred_at=WEDNESDAY
        )
        reader = ReaderProvider(MarkedReader({"I moved to Porto.": [Marked("lives_in", "Porto", "starts")]}))
        return list(reader.read(said(" Yes. "), " Yes. ", Context(turns=(asked,))).claims)

    (moved,) = answers(EpisodeRole.ASSISTANT, None)
    assert (moved.kind, target(moved), moved.quote_start, moved.quote_end) == (ClaimKind.STARTS, "Porto", 1, 5)
    assert answers(EpisodeRole.PARTICIPANT, "Bo") == [moved]
    assert answers(EpisodeRole.USER, NADIA) == []


def test_of_what_one_usually_has_one_only_what_begins_ends_the_one_before() -> None:
    content = "I work at Initech, and now also at Otto."
    confirmed, begun = claims(content, Marked("works_at", "Initech"), Marked("works_at", "Otto", "starts", beside=True))
    assert (confirmed.kind, confirmed.beside) == (ClaimKind.HOLDS, False)
    assert (begun.kind, begun.beside) == (ClaimKind.STARTS, True)


def test_who_says_where_they_live_moved_there_unless_they_still_do_or_have_two_homes() -> None:
    for content, kind, beside in (
        ("I live in Porto.", ClaimKind.STARTS, False),
        ("I live in Porto too.", ClaimKind.STARTS, False),
        ("I still live in Porto.", ClaimKind.HOLDS, False),
        ("I never left Porto.", ClaimKind.HOLDS, False),
        ("I also live in Porto.", ClaimKind.STARTS, True),
        ("I also have a flat in Porto.", ClaimKind.STARTS, True),
        ("My second home is in Porto.", ClaimKind.STARTS, True),
        ("We keep a small flat in Porto as well.", ClaimKind.STARTS, True),
        ("I have a flat in Porto.", ClaimKind.STARTS, False),
    ):
        (claim,) = claims(content, Marked("lives_in", "Porto"))
        assert (claim.kind, claim.beside) == (kind, beside), content


def test_plans_begin_on_their_day_or_are_plans() -> None:
    (dated,) = claims("I start at Otto on 1 July.", Marked("works_at", "Otto", "starts", "planned", time="on 1 July"))
    assert (dated.kind, dated.predicate, dated.valid_from) == (ClaimKind.STARTS, "works_at", day(2025, 7, 1))
    (undated,) = claims("We're moving to Lyon.", Marked("lives_in", "Lyon", "starts", "planned"))
    assert (undated.predicate, undated.status, undated.value) == ("plans", ClaimStatus.PLANNED, "live in Lyon")
    (journey,) = claims("We fly to Oslo on 3 July.", Marked("plan", "fly to Oslo", status="planned", time="on 3 July"))
    assert journey.statement == "Nadia plans: fly to Oslo, 3 July 2025."
    assert journey.valid_to == day(2025, 8, 3)
    (trip,) = claims("We'll visit Rome on 3 July.", Marked("traveled_to", "Rome", status="planned", time="on 3 July"))
    assert (trip.predicate, trip.statement) == ("plans", "Nadia plans to visit Rome, 3 July 2025.")
    (last,) = claims("My last day at Otto is 4 July.", Marked("works_at", "Otto", "ends", "planned", time="4 July"))
    assert (last.kind, last.valid_from) == (ClaimKind.ENDS, day(2025, 7, 4))


def test_what_happened_has_its_days() -> None:
    content = "I passed my test on Monday!"
    (event,) = claims(content, Marked("event", "passed my test", time="on Monday"))
    assert event.event == (day(2025, 6, 16), day(2025, 6, 17))
    assert event.statement == "Nadia passed their test, 16 June 2025."
    (undated,) = claims("I went to Rome.", Marked("traveled_to", "Rome"))
    assert (undated.event, undated.valid_from) == (None, None)


@pytest.mark.parametrize(
    ("content", "marked", "until"),
    [
        ("I'm 34.", Marked("age", "34"), datetime(2026, 6, 19, 10, tzinfo=UTC)),
        ("They say the tenth of July.", Marked("appointment", "tenth of July"), day(2025, 7, 11)),
        ("The draft is due July 10.", Marked("deadline", "July 10", of="The draft"), day(2025, 7, 11)),
    ],
)
def test_what_lasts_no_longer_is_not_believed_for_ever(content: str, marked: Marked, until: datetime) -> None:
    (claim,) = claims(content, marked)
    assert claim.valid_to == until


def test_a_day_of_the_week_has_no_traits() -> None:
    assert claims("Mon: green beans.", Marked("diet", "green beans", of="Mon")) == []


def test_appointments_and_deadlines_of_the_speaker_can_be_moved_and_pass() -> None:
    for content, marked, expected in (
        (
            "I see the dentist on 3 July.",
            Marked("appointment", "dentist", time="on 3 July"),
            ("dentist", "3 July 2025", day(2025, 7, 4), "Nadia has the appointment the dentist: 3 July 2025."),
        ),
        (
            "I had the dentist on 3 June.",
            Marked("appointment", "dentist", time="on 3 June"),
            ("dentist", "3 June 2025", None, "Nadia has the appointment the dentist: 3 June 2025."),
        ),
        (
            "The dentist is moved to Friday.",
            Marked("appointment", "Friday", "starts", of="The dentist"),
            ("dentist", "20 June 2025", day(2025, 6, 21), "Nadia has the appointment dentist: 20 June 2025."),
        ),
        (
            "My thesis is due on 14 July.",
            Marked("deadline", "14 July", of="My thesis"),
            ("thesis", "14 July 2025", day(2025, 7, 15), "Nadia has the deadline thesis: 14 July 2025."),
        ),
    ):
        (claim,) = claims(content, marked)
        assert (claim.value, dict(claim.attributes)["when"], claim.valid_to, claim.statement) == expected, content
    for content, marked in (
        ("His thesis is due on 14 July.", Marked("deadline", "14 July", of="His thesis")),
        (
            "The dentist is moved to half past three.",
            Marked("appointment", "half past three", "starts", of="The dentist"),
        ),
        ("The dentist is no longer on Friday.", Marked("appointment", "Friday", "ends", of="The dentist")),
    ):
        assert claims(content, marked) == [], content


def test_hearsay_is_believed_less() -> None:
    own, other, reported = (
        claims(content, marked)[0].confidence
        for content, marked in (
            ("I'm at Otto.", Marked("works_at", "Otto")),
            ("Ana is at Otto.", Marked("works_at", "Otto", of="Ana")),
            ("They say Ana is at Otto.", Marked("works_at", "Otto", of="Ana", status="reported")),
        )
    )
    assert own > other > reported


def test_who_is_known_from_the_session_is_meant_by_the_name() -> None:
    known = Context(known=(ThingName("Biscuit", "animal"),))
    (claim,) = claims("biscuit is 4", Marked("age", "4", of="biscuit"), context=known)
    assert claim.subject == ThingName("Biscuit", "animal")
    (unknown,) = claims("biscuit is 4", Marked("age", "4", of="biscuit"))
    assert unknown.subject == ThingName("Biscuit", "person")


def corrected(
    earlier: str, earlier_claim: Marked, content: str, *marked: Marked
) -> list[tuple[str, str, object, object]]:
    """What is claimed by a turn a week after another one."""
    reader = ReaderProvider(MarkedReader({earlier: [earlier_claim], content: marked}))
    turn = ContextTurn(role=EpisodeRole.USER, speaker=NADIA, content=earlier, occurred_at=WEEK_BEFORE)
    answer = ContextTurn(role=EpisodeRole.ASSISTANT, speaker=None, content="I see.", occurred_at=WEEK_BEFORE)
    read = reader.read(said(content), content, Context(turns=(turn, answer)))
    return [(claim.kind.name, claim.subject.name, target(claim), claim.valid_from) for claim in read.claims]


def test_a_correction_takes_back_what_was_said_before_of_the_same_and_since_the_same_time() -> None:
    peanuts, nuts = Marked("allergic_to", "peanuts"), Marked("allergic_to", "tree nuts", "corrects")
    rejected = ("REJECTS", NADIA, "peanuts", None)
    assert corrected("I'm allergic to peanuts.", peanuts, "Sorry, tree nuts.", nuts) == [
        rejected,
        ("STARTS", NADIA, "tree nuts", WEEK_BEFORE),
    ]
    assert corrected(
        "I live in Rome since 2020.",
        Marked("lives_in", "Rome", "starts", time="since 2020"),
        "No, Milan.",
        Marked("lives_in", "Milan", "corrects"),
    ) == [("REJECTS", NADIA, "Rome", None), ("STARTS", NADIA, "Milan", day(2020, 1, 1))]
    rent = corrected(
        "The rent is 900.", Marked("price", "900", of="The rent"), "Sorry, 950.", Marked("price", "950", "corrects")
    )
    assert {name for _, name, *_ in rent} == {"Nadia's rent"}
    changed = Marked("works_at", "Otto", "corrects")
    for content, word in (("I was wrong, it's Otto.", "REJECTS"), ("Since May it's Otto.", "STARTS")):
        first, *_ = corrected("I work at Acme.", Marked("works_at", "Acme"), content, changed)
        assert first[0] == word, content
    others = corrected("I'm allergic to peanuts.", peanuts, "Sorry, a nurse.", Marked("works_as", "nurse", "corrects"))
    assert [kind for kind, *_ in others] == ["STARTS"]


def test_who_takes_back_all_that_was_just_said_rejects_it() -> None:
    dog = Marked("pet", "Rex", "starts")
    for content in ("Scratch that.", "Oh sorry, ignore my last message!", "That was a joke.", "Just kidding, lol"):
        assert [kind for kind, *_ in corrected("I got Rex.", dog, content)] == ["REJECTS"], content
    assert corrected("I got Rex.", dog, "That was a good joke.") == []


def test_a_plan_that_comes_to_nothing_ends_when_that_is_said_and_one_that_is_put_off_begins_later() -> None:
    for content in ("I won't be starting at Otto after all.", "The Otto job fell through.", "I'm not joining Otto."):
        (off,) = claims(content, Marked("works_at", "Otto", "ends", "planned"))
        assert (off.kind, target(off), off.valid_from) == (ClaimKind.ENDS, "Otto", None), content
    assert claims("I won't stay at Otto much longer.", Marked("works_at", "Otto", "ends", "planned")) == []
    content = "The start at Otto got pushed to 1 July."
    (later,) = claims(content, Marked("works_at", "Otto", "ends", "planned", time="1 July"))
    assert (later.kind, later.valid_from) == (ClaimKind.STARTS, day(2025, 7, 1))
    content = "We're not moving to Porto."
    plan, home = claims(content, Marked("plan", "moving to Porto", "ends", "planned"))
    assert [(each.kind, each.predicate) for each in (plan, home)] == [
        (ClaimKind.ENDS, "plans"),
        (ClaimKind.ENDS, "lives_in"),
    ]


def test_what_is_left_ends_whatever_one_was_in_it() -> None:
    for content, marked, expected in (
        ("I left Uppsala University.", Marked("works_at", "Uppsala University", "ends"), {"works_at", "studies_at"}),
        ("I left the Acme choir.", Marked("works_at", "Acme choir", "ends"), {"works_at", "member_of"}),
        ("I left Acme.", Marked("member_of", "Acme", "ends"), {"member_of", "works_at"}),
        ("I left Acme.", Marked("works_at", "Acme", "ends"), {"works_at"}),
        ("I left Lyon.", Marked("lives_in", "Lyon", "ends"), {"lives_in"}),
    ):
        read = claims(content, marked)
        assert {claim.predicate for claim in read} == expected, content
        assert {claim.kind for claim in read} == {ClaimKind.ENDS}, content
    known = Context(known=(ThingName("Acme", "organization"),))
    read = claims("I left Acme.", Marked("lives_in", "Acme", "ends"), context=known)
    assert {claim.predicate for claim in read} == {"lives_in", "works_at"}


def test_what_hangs_on_something_else_does_not_begin() -> None:
    for content in (
        "If they offer it, I start at Otto on 1 July.",
        "I start at Otto on 1 July unless they cancel.",
        "Considering a start at Otto on 1 July.",
    ):
        assert claims(content, Marked("works_at", "Otto", "starts", "planned", time="on 1 July")) == [], content
    content = "I start at Otto on 1 July, so if you need me, write."
    assert claims(content, Marked("works_at", "Otto", "starts", "planned", time="on 1 July"))


def test_what_is_still_so_goes_on() -> None:
    for content, marked in (
        ("Ana is still my boss.", Marked("boss", "Ana", "denies")),
        ("I still report to Ana.", Marked("boss", "Ana", "starts")),
        ("I kept my job at Acme.", Marked("works_at", "Acme", "denies")),
    ):
        (claim,) = claims(content, marked)
        assert claim.kind is ClaimKind.HOLDS, content
    (claim,) = claims("Ana is still not my boss.", Marked("boss", "Ana", "denies"))
    assert claim.kind is ClaimKind.ENDS


def test_an_end_in_words_that_name_nothing_ends_whatever_it_was() -> None:
    for content, predicate in (
        ("I got the sack.", "works_at"),
        ("Got fired on Monday.", "works_at"),
        ("They let me go.", "works_at"),
        ("We're not together any more.", "partner"),
        ("I'm single again.", "partner"),
    ):
        (claim,) = claims(content)
        assert (claim.kind, claim.predicate, target(claim)) == (ClaimKind.ENDS, predicate, None), content
    for content in (
        "Was I fired?",
        "I was so fired up.",
        "If I got fired, I'd cry.",
        "Tom got fired.",
        "I never got fired.",
    ):
        assert claims(content) == [], content


def test_an_assistant_says_nothing_of_itself_nor_of_things_of_its_own() -> None:
    for content, marked in (
        ("I live in Lyon.", Marked("lives_in", "Lyon")),
        ("The rent is 900.", Marked("price", "900", of="The rent")),
    ):
        assert claims(content, marked, episode=said(content, EpisodeRole.ASSISTANT, None)) == []
    content = "Ana works at Otto."
    assert claims(content, Marked("works_at", "Otto", of="Ana"), episode=said(content, EpisodeRole.ASSISTANT, None))


def test_a_long_text_is_read_in_turns_that_know_what_was_said_before() -> None:
    sentence = "We talked about the garden and the weather for a while. "
    content = f"{sentence * 20}I live in Lyon."
    reader = MarkedReader({})
    turns = (
        ContextTurn(role=EpisodeRole.USER, speaker="Ana", content="Hello.", occurred_at=WEDNESDAY),
        ContextTurn(role=EpisodeRole.ASSISTANT, speaker=None, content="And you?", occurred_at=WEDNESDAY),
    )
    ReaderProvider(reader).read(said(content), content, Context(turns=turns))
    first, *others = reader.given
    assert first.before == (("Ana", "Hello."), ("assistant", "And you?"))
    assert len(others) > 1
    assert " ".join(turn.text for turn in reader.given) == content
    assert all(len(turn.text.split()) <= 100 for turn in reader.given)
    for before, turn in zip(reader.given, others, strict=False):
        ((speaker, words),) = turn.before
        assert speaker == NADIA
        assert before.text.endswith(words)


def test_what_was_so_once_is_not_so_now() -> None:
    for content, marked in (
        ("I lived in Cork for ten years.", Marked("lives_in", "Cork", "starts", time="for ten years")),
        ("My parents worked at Otto when they were young.", Marked("works_at", "Otto", of="My parents")),
        ("I studied law at Leiden.", Marked("studies_at", "Leiden")),
        ("We had a dog, Bruno, when I was little.", Marked("pet", "Bruno", "starts")),
        ("As a child I had a pony.", Marked("owns", "pony", "starts")),
        ("Before Lisbon I lived in Madrid.", Marked("lives_in", "Lisbon", "ends")),
    ):
        assert claims(content, marked) == [], content
    for content, marked in (
        ("I have lived in Cork for ten years.", Marked("lives_in", "Cork", "starts", time="for ten years")),
        ("I've lived in Cork for ten years.", Marked("lives_in", "Cork", "starts", time="for ten years")),
        ("I lived in Cork, and I still do.", Marked("lives_in", "Cork")),
        ("Ana said she worked at Otto.", Marked("works_at", "Otto", of="Ana")),
        ("As a student I live in Cork.", Marked("lives_in", "Cork")),
        ("I lived in Cork until May.", Marked("lives_in", "Cork", "ends", time="until May")),
        ("I lived in Hull, but moved to York last week.", Marked("lives_in", "York", "starts", time="last week")),
        ("I lived in Cork before I moved to Rome.", Marked("lives_in", "Rome", "starts")),
        ("I worked my way up and I'm a manager there.", Marked("works_as", "manager")),
        ("My wife, who studied in Rome, works at Bosch.", Marked("works_at", "Bosch", of="My wife")),
        ("I drove home and fed my cat Momo.", Marked("pet", "Momo")),
        ("I got my diploma and work as a child minder.", Marked("works_as", "child minder")),
        ("As a child I was ill and I live in Oslo.", Marked("lives_in", "Oslo")),
        ("I married Lea when we were students.", Marked("partner", "Lea", "starts")),
        ("I left Rome before Milan, which was loud.", Marked("lives_in", "Milan", "ends")),
    ):
        assert len(claims(content, marked)) == 1, content


def test_a_day_of_work_or_some_days_away_change_nothing() -> None:
    for content, marked in (
        ("I worked at Otto all day yesterday.", Marked("works_at", "Otto", "ends", time="yesterday")),
        ("I'm in Berlin this week.", Marked("lives_in", "Berlin", "starts", time="this week")),
        ("We are in Rome for a wedding.", Marked("lives_in", "Rome", "starts")),
        ("We live here but I work in Malmö.", Marked("lives_in", "Malmö", "starts")),
        ("I work in Malmö.", Marked("works_at", "Malmö")),
        ("I'm reading Middlemarch.", Marked("studies_at", "Middlemarch")),
    ):
        assert claims(content, marked) == [], content
    for content, marked in (
        ("I worked at Otto today for the last time.", Marked("works_at", "Otto", "ends", time="today")),
        ("I moved to Berlin this week.", Marked("lives_in", "Berlin", "starts", time="this week")),
        ("I work in a bakery.", Marked("works_at", "bakery")),
        ("I worked at Aldi but quit yesterday.", Marked("works_at", "Aldi", "ends", time="yesterday")),
        ("We've been in Lyon for three weeks now.", Marked("lives_in", "Lyon", "starts")),
        ("I'm at 5 Dock Road, come by this weekend.", Marked("address", "5 Dock Road")),
    ):
        assert len(claims(content, marked)) == 1, content


def test_a_dose_changes_and_the_drug_is_taken_all_the_same() -> None:
    changed = (
        Marked("medication", "sertraline", "ends"),
        Marked("medication", "50", "ends"),
        Marked("medication", "100 mg"),
    )
    for content, marked, dose in (
        ("I take 50 mg of sertraline.", (Marked("medication", "50 mg of sertraline"),), "50 mg"),
        ("I take sertraline, 50 mg.", (Marked("medication", "sertraline"),), "50 mg"),
        ("I take sertraline 50 mg.", (Marked("medication", "sertraline 50 mg"),), "50 mg"),
        ("My dose of sertraline went up from 50 to 100 mg.", changed, "100 mg"),
        ("The sertraline is up to 75.", (Marked("medication", "75", "starts", of="The sertraline"),), "75"),
    ):
        taken, amount = claims(content, *marked)
        assert (taken.kind, taken.predicate, target(taken)) == (ClaimKind.STARTS, "medication", "sertraline"), content
        assert (amount.predicate, target(amount)) == ("quantity", dose), content
        assert amount.statement == f"Nadia's sertraline dose is {dose}."
    since = "I'm on 75 mg of sertraline since May, up from 50."
    drug = Marked("medication", "75 mg of sertraline", time="since May")
    taken, amount = claims(since, drug)
    assert (taken.valid_from, amount.valid_from) == (None, day(2025, 5, 1))
    for content, kind in (
        ("My doctor halved my sertraline last week.", ClaimKind.STARTS),
        ("I'm off sertraline, they doubled my amlodipine.", ClaimKind.ENDS),
        ("We discontinued sertraline because my dose kept increasing.", ClaimKind.ENDS),
        ("I gave up sertraline after they upped the dose.", ClaimKind.ENDS),
    ):
        claim, *dose = claims(content, Marked("medication", "sertraline", "ends"))
        assert claim.kind is kind, content
        assert [each.statement for each in dose if each.kind is ClaimKind.ENDS] == (
            ["Nadia's sertraline dose is no longer taken."] if kind is ClaimKind.ENDS else []
        ), content
    less = "I don't take 10 mg of ramipril any more, I take 20."
    taken, amount = claims(less, Marked("medication", "10 mg of ramipril", "ends"), Marked("medication", "20"))
    assert (taken.kind, target(amount)) == (ClaimKind.STARTS, "20")
    pressure = "I'm on one thirty four over eighty."
    (claim,) = claims(pressure, Marked("medication", "one thirty four over eighty"))
    assert target(claim) == "one thirty four over eighty"
    began = "I'm on a low dose of sertraline since May."
    (claim,) = claims(began, Marked("medication", "sertraline", "starts", time="since May"))
    assert claim.valid_from == day(2025, 5, 1)
    halved = "I halved my dose of sertraline."
    assert [claim.kind for claim in claims(halved, Marked("medication", "sertraline", "ends"))] == [ClaimKind.STARTS]
    stopped = "I no longer take 50 mg of sertraline."
    claim, _ = claims(stopped, Marked("medication", "50 mg of sertraline", "ends"))
    assert (claim.kind, target(claim)) == (ClaimKind.ENDS, "sertraline")


def test_how_much_is_taken_may_be_said_a_turn_after_the_drug() -> None:
    drug, amount = Marked("medication", "ramipril", "starts"), Marked("medication", "10 mg", "starts")
    assert corrected("I'm on ramipril.", drug, "It's 10 mg.", amount) == [
        ("STARTS", "Nadia's ramipril dose", "10 mg", None)
    ]
    assert claims("It's 10 mg.", amount) == []


def test_a_sentence_is_worded_as_its_subject_and_its_value_ask_for() -> None:
    for content, marked, statement in (
        ("My parents live in Faro.", Marked("lives_in", "Faro", of="My parents"), "Nadia's parents live in Faro."),
        ("My boss lives in Faro.", Marked("lives_in", "Faro", of="My boss"), "Nadia's boss lives in Faro."),
        ("There are 40 guests.", Marked("quantity", "40", of="guests"), "guests number 40."),
        ("I have two sisters.", Marked("quantity", "two", of="sisters"), "Nadia's sisters number two."),
        ("The rent is 900.", Marked("price", "900", of="The rent"), "Nadia's rent is 900."),
        ("The lamp costs 90.", Marked("price", "90", of="The lamp"), "Nadia's lamp costs 90."),
        ("My keys are on it.", Marked("located_at", "on it", of="My keys"), "Nadia's keys are on it."),
        ("My pin code is x1.", Marked("named", "x1", of="My pin code"), "Nadia's pin code is x1."),
        ("I'm retired.", Marked("works_as", "retired"), "Nadia is retired."),
        ("The keys are on the desk.", Marked("located_at", "desk", of="The keys"), "Nadia's keys are on the desk."),
        ("ines is at Otto.", Marked("works_at", "Otto", of="ines"), "Ines works at Otto."),
    ):
        assert claims(content, marked)[0].statement == statement, content


def test_who_retired_has_no_job_and_what_costs_or_counts_is_no_person() -> None:
    as_what, ended = claims("Dougal retired.", Marked("works_as", "retired", "starts", of="Dougal"))
    assert (as_what.predicate, ended.kind, ended.predicate) == ("works_as", ClaimKind.ENDS, "works_at")
    assert [each.kind for each in claims("We're retired.", Marked("works_as", "retired"))][1:] == [ClaimKind.ENDS]
    assert len(claims("My knees retired.", Marked("works_as", "retired", "starts"))) == 1
    assert len(claims("My brother retired from chess.", Marked("works_as", "retired", of="My brother"))) == 1
    assert claims("I earn 900.", Marked("price", "900")) == []
    assert claims("We're twelve.", Marked("quantity", "twelve")) == []
    assert claims("I'm an only child.", Marked("sibling", "only child", "ends")) == []


def test_who_does_not_like_a_thing_any_more_liked_it() -> None:
    (claim,) = claims("I don't like jazz any more.", Marked("dislikes", "jazz", "ends"))
    assert (claim.kind, claim.predicate) == (ClaimKind.ENDS, "likes")
    (claim,) = claims("I don't mind jazz any more.", Marked("dislikes", "jazz", "ends"))
    assert (claim.kind, claim.predicate) == (ClaimKind.ENDS, "dislikes")


def test_what_others_are_named_or_are_to_each_other_is_not_the_speakers() -> None:
    doctor = "My GP is Dr Chen at Elm Practice."
    named = Marked("named", "Dr Chen"), Marked("named", "Dr Chen", of="My GP"), Marked("works_at", "Elm Practice")
    assert [(claim.subject.name, target(claim)) for claim in claims(doctor, *named)] == [
        ("Nadia's GP", "Dr Chen"),
        ("Nadia's GP", "Elm Practice"),
    ]
    assert len(claims("My name is Jo.", Marked("named", "Jo"))) == 1
    assert claims("Ben and Tom are brothers.", Marked("sibling", "Ben")) == []
    assert len(claims("My sisters Bea and Ida are twins.", Marked("sibling", "Bea"))) == 1
    new, old = claims(
        "Priya replaced Tom as project manager.",
        Marked("works_as", "project manager", "starts", of="Priya"),
        Marked("works_as", "project manager", "starts", of="Tom"),
    )
    assert (new.kind, old.kind) == (ClaimKind.STARTS, ClaimKind.ENDS)
    (handed,) = claims("Dana handed billing over to Ravi.", Marked("project", "billing", "ends", of="Ravi"))
    assert handed.kind is ClaimKind.STARTS
    (down,) = claims("Maria stepped down as CEO.", Marked("works_as", "CEO", "starts", of="Maria"))
    assert down.kind is ClaimKind.ENDS
    assert claims("The CEO is Maria.", Marked("boss", "Maria")) == []
    assert len(claims("The boss is Maria.", Marked("boss", "Maria"))) == 1
    (moved,) = claims("The demo was moved to Friday.", Marked("appointment", "Friday", "starts", of="The demo"))
    assert moved.attributes == (("when", "20 June 2025"),)


def test_what_nobody_mistakes_is_read_though_the_reader_does_not() -> None:
    for content, statement in (
        ("I use an electric wheelchair.", "Nadia uses an electric wheelchair."),
        ("I wear hearing aids.", "Nadia uses hearing aids."),
        ("I'm left-handed.", "Nadia is left-handed."),
        ("My blood type is O negative.", "Nadia has the blood type O negative."),
    ):
        (claim,) = claims(content)
        assert (claim.predicate, claim.category, claim.statement) == ("health", "constraint", statement)
    for content in (
        "Do I use a wheelchair?",
        "I don't use a wheelchair.",
        "If I used a wheelchair, I'd know.",
        "I use a wheelchair taxi.",
    ):
        assert claims(content) == [], content
    again = claims("I use a wheelchair.", Marked("health", "wheelchair", "starts"))
    assert [claim.statement for claim in again] == ["Nadia uses a wheelchair."]


def test_what_no_word_corrects_begins_when_it_is_said() -> None:
    (claim,) = claims("I'm pregnant.", Marked("health", "pregnant", "corrects"))
    assert (claim.valid_from, claim.valid_to) == (None, WEDNESDAY + timedelta(days=280))


def test_names_of_words_that_stand_for_others_and_mums_without_an_apostrophe() -> None:
    (job,) = claims("Jamie works at the post office.", Marked("works_at", "post office", of="Jamie"))
    assert target(job) == "post office"
    (ill,) = claims("my mums in hospital", Marked("located_at", "hospital", of="my mums"))
    assert ill.subject.name == "Nadia's mum"
    (age,) = claims("Isla is 3 months old.", Marked("age", "3 months", of="Isla"))
    assert age.valid_to == WEDNESDAY + timedelta(days=31)


def test_a_person_who_died_was_no_pet() -> None:
    (died,) = claims("My uncle Bert passed away.", Marked("pet", "Bert", "ends"))
    assert (died.predicate, died.statement) == ("event", "Bert passed away.")
    ended, died = claims("My husband Bert died.", Marked("partner", "Bert"))
    assert (ended.kind, ended.predicate, died.predicate) == (ClaimKind.ENDS, "partner", "event")
    (claim,) = claims("My boss Ines died of embarrassment.", Marked("boss", "Ines"))
    assert claim.predicate == "boss"
    (ended,) = claims("My dog Bert passed away.", Marked("pet", "Bert", "ends"))
    assert (ended.kind, ended.predicate) == (ClaimKind.ENDS, "pet")


def test_what_has_a_type_in_a_turn_has_it_in_all_that_is_said_there() -> None:
    pet, age = claims("My dog Rex is 4.", Marked("pet", "Rex"), Marked("age", "4", of="Rex"))
    assert pet.object == age.subject == ThingName("Rex", "animal")
    job, place = claims(
        "Ana is a vet in Porto.", Marked("works_as", "vet", of="Ana"), Marked("located_at", "Porto", of="Ana")
    )
    assert job.subject == place.subject == ThingName("Ana", "person")


def test_what_is_used_is_no_subscription_and_what_is_the_speakers_is_theirs() -> None:
    assert [claim.predicate for claim in claims("I use vim.", Marked("subscription", "vim"))] == ["prefers"]
    plan = "I use the Pro plan."
    assert [claim.predicate for claim in claims(plan, Marked("subscription", "Pro plan"))] == ["subscription"]
    (sold,) = claims("I sold my bike.", Marked("drives", "bike", "ends"))
    assert sold.statement == "Nadia no longer drives their bike."
    (moved,) = claims("Mum moved in with us.", Marked("event", "moved in with us", of="Mum"))
    assert moved.statement == "Nadia's mum moved in with Nadia."


def test_a_document_has_no_speaker() -> None:
    content = "I live in Lyon, and Ana lives in Porto."
    document = Episode(
        group_id="g", session="s", content=content, occurred_at=WEDNESDAY, content_type=ContentType.DOCUMENT
    )
    (claim,) = claims(content, Marked("lives_in", "Lyon"), Marked("lives_in", "Porto", of="Ana"), episode=document)
    assert (claim.subject.name, target(claim)) == ("Ana", "Porto")


def test_how_many_values_hold_is_what_policies_say() -> None:
    policies = {name: BUILT_IN.get(meaning.name or name, MANY) for name, meaning in MEANINGS.items()}
    assert {name: policy.cardinality.value for name, policy in policies.items()} == {
        name: meaning.values for name, meaning in MEANINGS.items()
    }


def test_a_value_of_several_is_of_those_whom_the_sentence_is_about() -> None:
    for content, marked, whose in (
        (
            "Yes, Lena's brother Moritz, peanuts.",
            (Marked("allergic_to", "peanuts", of="Lena"), Marked("allergic_to", "peanuts", of="Moritz")),
            ["Moritz"],
        ),
        (
            "The oven in the van is broken.",
            (Marked("status", "broken", of="The oven"), Marked("status", "broken", of="the van")),
            ["Nadia's oven"],
        ),
        (
            "Dad is walking with a stick.",
            (Marked("health", "walking with a stick"), Marked("health", "walking with a stick", of="Dad")),
            ["Nadia's dad"],
        ),
        (
            "Dad and I walk with a stick.",
            (Marked("health", "walk with a stick"), Marked("health", "walk with a stick", of="Dad")),
            ["Nadia", "Nadia's dad"],
        ),
        (
            "The boots leak. Budget 180.",
            (Marked("price", "180", of="The boots"), Marked("price", "180", of="Budget")),
            ["Budget"],
        ),
        (
            "The mason is Tom, found by my aunt Joan.",
            (Marked("works_as", "mason", of="Tom"), Marked("works_as", "mason", of="Joan")),
            ["Tom"],
        ),
        (
            "Ana and Bob are vegan.",
            (Marked("diet", "vegan", of="Ana"), Marked("diet", "vegan", of="Bob")),
            ["Ana", "Bob"],
        ),
    ):
        assert [claim.subject.name for claim in claims(content, *marked)] == whose, content


def test_a_post_is_neither_an_employer_nor_a_name() -> None:
    infirmary = "She works at the infirmary, healthcare assistant."
    (post,) = claims(infirmary, Marked("works_as", "healthcare assistant"), Marked("works_at", "healthcare assistant"))
    assert post.predicate == "works_as"
    (tenant,) = claims(
        "Jonas is tenant.", Marked("works_as", "tenant", of="Jonas"), Marked("named", "tenant", of="Jonas")
    )
    assert tenant.predicate == "works_as"


def test_what_others_did_what_is_fine_sold_or_handed_in_is_not_so() -> None:
    for content, marked in (
        ("They've approved my citizenship.", Marked("event", "approved my citizenship")),
        ("Tofu and mushrooms ok.", Marked("allergic_to", "mushrooms")),
        ("I sold the Transit for 1200.", Marked("price", "1200", of="the Transit")),
        ("The permit was submitted on 18 April.", Marked("deadline", "18 April", of="The permit")),
        ("We see a specialist, Dr Chua, now.", Marked("partner", "Dr Chua", "starts")),
        ("I stopped it.", Marked("medication", "it", "ends")),
        ("If I did, I'd call it Bee & Sons.", Marked("named", "Bee & Sons")),
        ("I start at a bakery, 14.80 an hour.", Marked("price", "14.80 an hour", of="a bakery")),
        ("Dad is starting dialysis.", Marked("studies_at", "dialysis", of="Dad")),
        ("I prefer tabs to spaces.", Marked("prefers", "spaces")),
        ("We are on PostgreSQL 16.", Marked("medication", "PostgreSQL 16")),
        ("He was 83.", Marked("age", "83", of="He")),
        ("A firm from Dunedin moves us.", Marked("lives_in", "Dunedin", of="A firm")),
        ("We read something long and Russian.", Marked("speaks", "Russian")),
        ("Mr Whitcombe agreed 1600.", Marked("price", "1600", of="Mr Whitcombe")),
    ):
        assert claims(content, marked) == [], content
    brief = "Remind me to brief Jun Wei, the paralegal, by 21 August."
    paralegal = Marked("works_as", "paralegal", of="Jun Wei"), Marked("deadline", "21 August", of="Jun Wei")
    assert [each.predicate for each in claims(brief, *paralegal)] == ["works_as"]
    for content, marked in (
        ("My school friend lives in Faro.", Marked("lives_in", "Faro", of="My school friend")),
        ("She sells cakes for 20.", Marked("price", "20", of="cakes")),
        ("Tom studies teaching at Leeds.", Marked("studies_at", "Leeds", of="Tom")),
        ("Mia goes to Elm School and loves her teacher.", Marked("studies_at", "Elm School", of="Mia")),
        ("Rachel Bank lives in Leeds.", Marked("lives_in", "Leeds", of="Rachel Bank")),
        ("The form must be submitted by 12 June.", Marked("deadline", "12 June", of="The form")),
        ("My daughter turned one.", Marked("age", "one", of="My daughter")),
        ("My son was 18 on Sunday.", Marked("age", "18", of="My son", time="on Sunday")),
        ("I use NovoRapid.", Marked("medication", "NovoRapid")),
        ("My Spanish is good.", Marked("speaks", "Spanish")),
        ("I'm dating Dr Weiss.", Marked("partner", "Dr Weiss")),
        ("The tickets are sold at the door for 12.", Marked("price", "12", of="The tickets")),
        ("Dr Pepper costs 2 euros.", Marked("price", "2 euros", of="Dr Pepper")),
    ):
        assert [each.predicate for each in claims(content, marked)] == [marked.predicate], content
    bought = "I sold the Transit and bought a Vivaro for 8,700."
    assert [each.statement for each in claims(bought, Marked("price", "8,700", of="Vivaro"))] == ["Vivaro costs 8,700."]


def test_a_day_that_was_moved_is_still_to_come() -> None:
    moved = "My operation was booked for 11 June, but they rang and it is 2 July now."
    booked = Marked("appointment", "operation", time="11 June")
    assert claims(moved, booked)[-1].valid_to == day(2026, 6, 12)
    kept = "I had the dentist on Monday and the physio on Tuesday."
    assert claims(kept, Marked("appointment", "physio", time="on Tuesday"))[-1].valid_to is None
    boring = "My dentist appointment on Monday was boring."
    assert claims(boring, Marked("appointment", "dentist appointment", time="on Monday"))[-1].valid_to is None
    planned = "We were redoing the plan, mediation is June 24."
    assert claims(planned, Marked("deadline", "June 24", of="mediation"))[-1].valid_to == day(2025, 6, 25)
    hip = "The hip op was supposed to be 7 July but they moved it to 10 August."
    of_it = Marked("appointment", "10 August", "starts", of="it")
    assert [
        each.statement for each in claims(hip, Marked("appointment", "7 July", "ends", of="The hip op"), of_it)
    ] == ["Nadia has the appointment hip op: 10 August 2025."]


def test_who_heads_a_school_works_there() -> None:
    content = "The principal is Mr Lane at Elm School."
    assert [each.predicate for each in claims(content, Marked("studies_at", "Elm School", of="Mr Lane"))] == [
        "works_at"
    ]


def test_the_subject_of_a_claim_is_what_names_it() -> None:
    for content, marked, statement in (
        (
            "Doreen, she's 79, she stays in Faro.",
            Marked("lives_in", "Faro", of="Doreen, she's 79, she"),
            "Doreen lives in Faro.",
        ),
        (
            "It died, bought a used Dell for 740.",
            Marked("price", "740", of="It died, bought a used Dell"),
            "used Dell costs 740.",
        ),
        (
            "Business number is 55501 788.",
            Marked("phone", "55501 788", of="Business number"),
            "Nadia has the phone number 55501 788.",
        ),
        ("Candesartan, twice a day.", Marked("medication", "Candesartan"), "Nadia takes the medication candesartan."),
        ("I hurt my knee.", Marked("health", "hurt my knee"), "Nadia hurt their knee."),
        ("Marcus teaches physics.", Marked("works_as", "teaches physics", of="Marcus"), "Marcus teaches physics."),
        (
            "The heating doesn't work.",
            Marked("status", "doesn't work", of="The heating"),
            "Nadia's heating doesn't work.",
        ),
    ):
        assert [each.statement for each in claims(content, marked)] == [statement], content
    assert claims("shes 62", Marked("age", "62", of="shes")) == []


def test_an_address_and_the_end_of_a_bond_are_read_in_plain_words() -> None:
    (address,) = claims("My address is flat 3, 18 Thornes Rise, wakefield. Thanks.")
    assert (address.predicate, target(address)) == ("address", "flat 3, 18 Thornes Rise, wakefield")
    for content, ends in (
        ("ended things w/ marcus in feb", True),
        ("I broke up with him.", True),
        ("I ended it with a joke.", False),
        ("She says I ended things with Leo too early.", False),
        ("I ended things well.", False),
    ):
        assert [each.predicate for each in claims(content)] == ["partner"] * ends, content
