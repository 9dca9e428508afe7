"""What a clause claims as a predicate and an object: its main verb with particle and preposition, and what it takes."""

from dataclasses import dataclass

from graphmem.extract.offline.clauses import Tense
from graphmem.extract.offline.names import TYPES
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.folds import Folds
from graphmem.extract.offline.tables.open import AHEAD, LIGHT, PARTICLES, TIMES
from graphmem.extract.offline.tables.tenses import PAST_OF, PRESENT_OF

_TURNING = frozenset({"off", "up", "out", "down", "over", "away"})
"""What makes another verb of a verb, though the parser takes it for a preposition: “call off”."""

RELATED_TO = "related_to"
"""What somebody or something is or does to the speaker, by a verb that no predicate says."""


@dataclass(frozen=True, slots=True)
class Core:
    """A verb, or an adjective that “is” goes with, its particle and preposition ("" for none), and its object's head.

    ``manner`` are the lemmas of the verbs above it: “started” of “started to paint”.
    """

    verb: Token
    particle: str
    preposition: str
    object: Token | None
    manner: tuple[str, ...] = ()
    passive: bool = False

    @property
    def raw(self) -> str:
        """“look_into”, “be_noticed_by”."""
        verb = f"be_{self.verb.text.casefold()}" if self.passive else self.verb.lemma
        return "_".join(part for part in (verb, self.particle, self.preposition) if part)


def core_of(parse: Parse, verb: Token, *, done: bool = True) -> Core:
    """What the clause of ``verb`` says at its core; ``done``: it is so, and not planned, wished or denied."""
    manner: list[str] = []
    while verb.lemma in (LIGHT if done else AHEAD) and (inner := _inner(parse, verb)):
        manner.append(verb.lemma)
        verb = inner
    passive = bool(parse.children(verb, "auxpass"))
    particles = [each for each in parse.children(verb, "prt", "advmod") if _is_particle(verb, each)][:1]
    particle = "".join(each.text.casefold() for each in particles)
    complement = next(iter(parse.children(verb, "dobj", "attr", "oprd")), None)
    if complement is not None:
        return Core(verb, particle, "", complement, tuple(manner), passive=passive)
    adjective = next(iter(parse.children(verb, "acomp")), None)
    if adjective is not None and adjective.proper:
        return Core(verb, particle, "", adjective, tuple(manner))
    base = adjective if adjective is not None else verb
    for preposition in (each for word in (base, *particles) for each in parse.children(word, "prep", "agent")):
        goal = next(iter(parse.children(preposition, "pobj", "pcomp")), None)
        if preposition.i > base.i and goal is not None and not _is_time(goal) and parse.text[goal.end :][:1] != "-":
            return Core(base, particle, preposition.text.casefold(), goal, tuple(manner), passive=passive)
    return Core(base, particle, "", None, tuple(manner), passive=passive)


def _is_particle(verb: Token, word: Token) -> bool:
    """“up” of “gave up”, “back” of “got back from”."""
    return word.dep == "prt" or (word.i == verb.i + 1 and word.text.casefold() in PARTICLES)


def _is_time(noun: Token) -> bool:
    return noun.label in ("DATE", "TIME") or noun.lemma in TIMES or noun.lemma == "while"


def _inner(parse: Parse, verb: Token) -> Token | None:
    if parse.children(verb, "dobj", "attr") and verb.lemma != "be":
        return None
    below = parse.children(verb, "xcomp")
    leading = (word for word in parse.children(verb, "prep") if word.text.casefold() != "from")  # “I kept from eating”
    below += [each for word in leading for each in parse.children(word, "pcomp")]
    verbs = (clause for clause in below if clause.tag.startswith("VB") and clause.text[0].islower())
    return next((each for each in verbs if not parse.children(each, "neg")), None)


def in_tense(name: str, tense: Tense | None) -> str:
    """A canonical predicate in the tense of its clause: who lived in Rome does not live there by that."""
    first, _, rest = name.partition("_")
    if rest == "by" or tense not in (Tense.PAST, Tense.PRESENT, Tense.PROGRESSIVE):
        return name
    verb = PAST_OF.get(first, first) if tense is Tense.PAST else PRESENT_OF.get(first, first)
    return f"{verb}_{rest}" if rest else verb


def takes_object(core: Core, folds: Folds) -> bool:
    """Whether the predicate goes with the object: “played through school” is of no school."""
    if core.passive:
        return bool(folds.first(*_fold_names(core)))
    known = folds.first(*_fold_names(core), *_with_preposition(core))
    alone = core.verb.tag.startswith("JJ") or folds.first(core.verb.lemma)
    return not core.preposition or bool(known) or not alone


def _with_preposition(core: Core) -> list[str]:
    """The verb with its preposition, whatever its particle: never the verb alone, which “turned down” is not."""
    return [f"{core.verb.lemma} {core.preposition}"] if core.preposition else []


def _fold_names(core: Core) -> tuple[str, str]:
    """The core as folds name it, with the type of the object and without."""
    fold = core.raw.replace("_", " ")
    typed = f"{fold}:{TYPES.get(core.object.label, '')}" if core.object is not None else fold
    return typed, fold


def canonical(core: Core, folds: Folds, *, of_me: bool = False) -> str:
    """The canonical predicate; "" where no fold has it. ``of_me``: what something is or does to the speaker."""
    lemma = core.verb.lemma
    if of_me:
        return folds.first(f"{lemma} me") or RELATED_TO
    if lemma == "be" and core.object is None and core.verb.tag.startswith("VB"):
        return "is"  # “was out walking”
    if core.passive or (lemma == "be" and core.preposition):
        return folds.first(*_fold_names(core)) or "is"  # “was accepted for a job” is no doing
    if lemma == "go" and core.object is not None and not core.preposition and core.object.text.endswith("ing"):
        return folds.first(core.object.text.casefold().removesuffix("ing"), "go on")  # “went camping”
    lone = [] if core.particle not in ("", "together", "apart") or core.preposition in _TURNING else [lemma]
    known = folds.first(*_fold_names(core), *_with_preposition(core), *lone)
    return known or ("is" if core.verb.tag.startswith("JJ") else "")
