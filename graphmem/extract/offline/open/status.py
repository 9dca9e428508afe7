"""What a clause asserts: that something is or was so, is planned, wished, possible, or not so; or nothing, and why.

A verb's own words say the first part; the clauses around it, up to the root, whether it is said at all.
"""

from enum import StrEnum

from graphmem.extract.offline.clauses import takes_nothing
from graphmem.extract.offline.open.clause import (
    AUXILIARIES,
    SUBJECTS,
    is_apart,
    is_set_off,
    marks,
    own_subject,
    subject,
)
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    ANNOUNCING,
    CERTAIN,
    CONDITIONS,
    ELIDED,
    ELSEWHERE,
    EVALUATIVE,
    FACTIVE,
    FACTUAL_MARKS,
    FIRST_PERSON,
    GUESSING,
    HABITUAL,
    HEDGES,
    NOMINATIVES,
    OPINING,
    PLANNING,
    SEEMING,
    TEMPORAL,
    UNREAL,
    US,
    WISHING,
)
from graphmem.model.claim import ClaimStatus


class Drop(StrEnum):
    """Why a clause makes no claim."""

    QUESTION = "question"
    IMPERATIVE = "imperative"
    QUOTED = "quoted"
    CONDITIONAL = "conditional"
    MODAL = "modal"
    HEDGED = "hedged"
    OPINION = "opinion"
    GUESS = "guess"
    REPORTED = "reported"
    RELATIVE = "relative clause"
    EMBEDDED = "embedded"
    NO_SUBJECT = "no subject"
    OTHER_SUBJECT = "about nobody known"
    VAGUE_SUBJECT = "vague subject"
    VAGUE_OBJECT = "vague object"
    UNRESOLVED = "unresolved pronoun"
    ADDRESSEE = "about the addressee"
    THANKS = "thanks"
    MOOD = "mood"
    TALK = "about this talk"
    PEP_TALK = "pep talk"
    ANYBODY = "said of anybody"
    SHOWN = "shows a picture"
    CODE = "code"
    EMPTY = "says too little"
    GIVEN_UP = "planned or wished once"


Stand = ClaimStatus | Drop

_SELDOM = frozenset({"never", "hardly", "rarely", "seldom", "scarcely"})
_FUTURE = frozenset({"will", "'ll", "shall", "wo"})
_ABLE = frozenset({"can", "ca"})
_LIKED = frozenset({"love", "like", "prefer"})
_ASIDE = ("parataxis", "acomp", "attr", "dep")
_DUE = frozenset({"suppose", "mean", "schedule"})


def status(parse: Parse, verb: Token) -> Stand:
    """What the clause of ``verb`` asserts."""
    stand, below = own_status(parse, verb), verb
    while isinstance(stand, ClaimStatus) and below.dep != "ROOT" and below.head != below.i:
        above = parse.head(below)
        if _is_told(parse, above) or _is_past_time(parse, below):
            break
        stand = _below(parse, below, above, stand)
        below = above
    return stand


def _is_told(parse: Parse, above: Token) -> bool:
    """“I wanted to let you know that …”, “I'm excited to tell you that …”: what follows is told now."""
    governing = parse.head(above)
    if above.lemma == "know" and governing.lemma == "let":
        return True
    who = subject(parse, parse.head(governing) if governing.dep == "acomp" else governing)
    mine = who is None or who.text.casefold() == "i"
    return mine and above.tag == "VB" and above.dep == "xcomp" and above.lemma in ANNOUNCING


def _is_past_time(parse: Parse, below: Token) -> bool:
    """“since I moved”, “when I was ten”: it was so, whatever is said of that time."""
    return below.dep == "advcl" and below.tag == "VBD" and bool(marks(parse, below) & TEMPORAL)


def own_status(parse: Parse, verb: Token) -> Stand:
    """What the clause would assert if it stood alone."""
    auxiliaries = parse.children(verb, *AUXILIARIES)
    negated = _is_negated(parse, verb, auxiliaries)
    if drop := _unsaid(parse, verb, auxiliaries):
        return drop
    if drop := _weakened(parse, verb):
        return drop
    had = verb.tag in ("VBD", "VBN")  # “I'd bought a car”
    modals = [each.text.casefold() for each in auxiliaries if each.tag == "MD" and not (had and each.text[0] in "'’")]
    if modals and modals[0] in _ABLE and "so" in _leading(parse, verb):
        return Drop.EMBEDDED  # “…, so I can see it”
    if modals:
        always = any(word.text.casefold() == "always" for word in parse.children(verb, "advmod"))
        stand = _modal(verb, modals[0], negated=negated)
        return ClaimStatus.ASSERTED if always and stand is ClaimStatus.PLANNED else stand
    return ClaimStatus.NEGATED if negated else _affirmed(parse, verb, auxiliaries)


def _weakened(parse: Parse, verb: Token) -> Drop | None:
    clauses = parse.children(verb, "advcl") + ([verb] if verb.dep == "ROOT" else [])  # “If only I had a garden!”
    if any(marks(parse, clause) & CONDITIONS for clause in clauses):
        return Drop.CONDITIONAL
    if _is_inverted(parse, verb):
        return Drop.CONDITIONAL
    hedged = any(word.text.casefold() in HEDGES for word in parse.children(verb, "advmod"))
    if hedged or _is_unreal(parse, verb) or _is_supposed(parse, verb):
        return Drop.HEDGED
    if any(word.text.casefold() == "according" for word in parse.children(verb, "prep")):
        return Drop.REPORTED
    sure = (word for word in parse.children(verb, "acomp") if word.lemma in CERTAIN)
    return Drop.GUESS if any(parse.children(word, "ccomp") for word in sure) else None


def _is_inverted(parse: Parse, verb: Token) -> bool:
    """“Had I stayed, …”, “were I to leave, …” where no question is asked."""
    following = parse.tokens[verb.i + 1 : verb.i + 2]
    opens = verb.tag == "VBD" and verb.lemma in ("have", "be") and verb.i == parse.sentence_of(verb).first
    return opens and any(word.tag == "PRP" and word.text.casefold() in NOMINATIVES for word in following)


def _is_unreal(parse: Parse, verb: Token) -> bool:
    """“My dream job is …”, “in another life I was …”."""
    about = own_subject(parse, verb)
    kinds = parse.children(about, "amod", "compound") if about is not None else []
    sentence = parse.within(parse.sentence_of(verb))
    wording = parse.text[sentence[0].start : sentence[-1].end].casefold()
    return any(word.lemma in UNREAL for word in kinds) or any(phrase in wording for phrase in ELSEWHERE)


def _leading(parse: Parse, verb: Token) -> set[str]:
    """The words that lead to a clause: marks, and what stands before its subject."""
    about = own_subject(parse, verb)
    before = [parse.tokens[about.i - 1].text.casefold()] if about is not None and about.i else []
    return marks(parse, verb) | set(before)


def _is_supposed(parse: Parse, verb: Token) -> bool:
    """“Imagine I lived in Rome”, “Bruno or Clara moved”."""
    things = parse.children(verb, *SUBJECTS, "dobj", "attr")
    choices = (word.text.casefold() for thing in things for word in parse.children(thing, "cc", "preconj"))
    supposed = any(word.lemma in ("imagine", "suppose") for word in parse.children(verb, "intj"))
    return supposed or not {"or", "either"}.isdisjoint(choices)


def _affirmed(parse: Parse, verb: Token, auxiliaries: list[Token]) -> Stand:
    below = parse.children(verb, "ccomp")
    if verb.lemma == "dream" and below:
        return Drop.GUESS
    forward = verb.lemma == "look" and any(word.text == "forward" for word in parse.children(verb, "advmod", "prt"))
    wished = verb.lemma in WISHING or forward
    planned = not wished and _is_planned(parse, verb)
    if wished or planned:
        over = (auxiliaries or [verb])[0].tag == "VBD"  # “I was going to”, “I wanted to”
        given_up = over and ((planned and bool(auxiliaries)) or _is_contrasted(parse, verb))
        return Drop.GIVEN_UP if given_up else ClaimStatus.PLANNED if planned else ClaimStatus.WISHED
    if verb.lemma == "hear" and below:
        return Drop.REPORTED
    alike = any("like" in marks(parse, each) for each in parse.children(verb, "ccomp", "advcl"))
    opines = (verb.lemma in OPINING and below) or (verb.lemma == "feel" and alike)  # “It feels like nobody cares”
    return Drop.OPINION if opines or _seems(parse, verb) else ClaimStatus.ASSERTED


def _is_contrasted(parse: Parse, verb: Token) -> bool:
    """“…, but”, “… when I was a child”: it came to something else, or it is long ago."""
    verbs = (verb, *parse.children(verb, "xcomp"))
    return any(word.text.casefold() == "but" for word in parse.children(verb, "cc")) or any(
        marks(parse, each) & {"when", "until"} for word in verbs for each in parse.children(word, "advcl")
    )


def _unsaid(parse: Parse, verb: Token, auxiliaries: list[Token]) -> Drop | None:
    sentence = parse.sentence_of(verb)
    if verb.lemma == "wonder":
        return Drop.QUESTION
    if any(set("?") <= set(token.text) <= set("?!.") for token in parse.tokens[verb.i : sentence.last]):
        return Drop.QUESTION
    subjects = parse.children(verb, *SUBJECTS)
    if any(auxiliary.i < each.i for auxiliary in auxiliaries for each in subjects[:1]):
        return Drop.QUESTION
    if verb.quoted:
        return Drop.QUOTED
    told_not = all(each.lemma == "do" and each.tag != "VBD" for each in auxiliaries)  # “Don't forget”
    elided = verb.lemma in ELIDED and not any(word.lemma == "free" for word in parse.children(verb, "acomp"))
    asked = verb.tag == "VB" and not subjects and told_not and (bool(auxiliaries) or not elided)
    return Drop.IMPERATIVE if asked else None


def _is_negated(parse: Parse, verb: Token, auxiliaries: list[Token]) -> bool:
    adverbs = parse.children(verb, "advmod", "npadvmod")
    below = [each for word in adverbs for each in parse.children(word, "advmod")]  # “hardly ever”
    no_more = (word for word in adverbs if word.text.casefold() in ("longer", "more"))
    return (
        bool(parse.children(verb, "neg"))
        or any(word.text.casefold() in _SELDOM or _is_yet(word, verb) for word in (*adverbs, *below))
        or any(
            each.text.casefold() == "no" for word in no_more for each in parse.children(word, "neg", "det", "advmod")
        )
        or takes_nothing(parse, verb)
        or (not auxiliaries and shares_denial(parse, verb))
    )


def _is_yet(adverb: Token, verb: Token) -> bool:
    """“I have yet to finish it”."""
    return adverb.text == "yet" and adverb.i == verb.i + 1 and verb.lemma == "have"


def shares_denial(parse: Parse, verb: Token) -> bool:
    """Whether what denies the verb before denies this one: “I have never met or seen her”, “I don't cook and clean”."""
    above = parse.head(verb)
    if verb.dep != "conj" or above.i == verb.i or verb.tag != above.tag or own_subject(parse, verb) is not None:
        return False
    leading = {word.text.casefold() for word in parse.children(above, "cc") if word.i < verb.i}
    shared = leading & {"or", "nor"} or (verb.tag == "VB" and leading == {"and"})
    return bool(shared) and _is_negated(parse, above, parse.children(above, *AUXILIARIES))


def _modal(verb: Token, modal: str, *, negated: bool) -> Stand:
    if modal in _FUTURE or (modal == "could" and negated):
        return ClaimStatus.NEGATED if negated else ClaimStatus.PLANNED
    if modal in _ABLE:
        if negated:
            return {"wait": ClaimStatus.WISHED, "believe": Drop.OPINION}.get(verb.lemma, ClaimStatus.NEGATED)
        return ClaimStatus.ABLE
    return ClaimStatus.WISHED if modal in ("would", "'d") and verb.lemma in _LIKED and not negated else Drop.MODAL


def _is_planned(parse: Parse, verb: Token) -> bool:
    """“I'm going to …”, “I'm off to …”, “I plan to …”, “I'm thinking of …ing”."""
    acts = parse.children(verb, "xcomp")
    to_do = any(each.tag == "TO" for act in acts for each in parse.children(act, "aux"))
    near = parse.children(verb, "advmod", "acomp", "prt") if verb.lemma == "be" else []
    if any(word.text == "about" and parse.children(word, "xcomp") for word in near):
        return True
    going = verb.lemma == "go" and verb.tag == "VBG"  # also “Gonna visit Rome”
    due = verb.lemma in _DUE and verb.tag == "VBN"  # “I was supposed to run”
    if to_do and (going or due or verb.lemma in PLANNING or any(word.text == "off" for word in near)):
        return True
    considers = verb.lemma == "consider" and any(act.tag == "VBG" for act in acts)
    thinks = verb.lemma == "think" and any(parse.children(word, "pcomp") for word in parse.children(verb, "prep"))
    return verb.lemma == "plan" or considers or thinks


def _seems(parse: Parse, verb: Token) -> bool:
    """“It looks great”, “it sounds like fun”, not “she looks after him”."""
    alike = any(word.text.casefold() == "like" for word in parse.children(verb, "prep"))
    return verb.lemma in SEEMING and bool(parse.children(verb, "acomp", "oprd") or alike)


def _below(parse: Parse, below: Token, above: Token, stand: ClaimStatus) -> Stand:
    """What of a clause is left below the one above it."""
    match below.dep:
        case "conj":
            return _coordinated(parse, below, above, stand)
        case "ccomp":
            return _complement(parse, below, above, stand)
        case "advcl":
            return _adverbial(parse, below, above, stand)
        case "relcl" | "acl":
            return Drop.RELATIVE
        case _:
            return stand if below.dep in _ASIDE else Drop.EMBEDDED


def _adverbial(parse: Parse, below: Token, above: Token, stand: ClaimStatus) -> Stand:
    """“because I sail”; “Got a cat years ago, it sleeps …” are two sentences."""
    introduced = marks(parse, below)
    if introduced & CONDITIONS:
        return Drop.CONDITIONAL
    habitual = introduced & HABITUAL and below.tag in ("VBP", "VBZ")  # “when I get up”
    is_stated = is_apart(parse, below, above) or (introduced & FACTUAL_MARKS and not habitual)
    return stand if is_stated else Drop.EMBEDDED


def _coordinated(parse: Parse, below: Token, above: Token, stand: ClaimStatus) -> Stand:
    """“I will go and see”: the second verb stands as the first one, unless it has a subject or an auxiliary."""
    if not above.tag.startswith(("VB", "MD")) or own_subject(parse, below) or parse.children(below, "aux"):
        return stand
    first = own_status(parse, above)
    if isinstance(first, Drop):
        return stand if first is Drop.OPINION else first
    return first if stand is ClaimStatus.ASSERTED and below.tag in ("VB", "VBG") else stand


def _complement(parse: Parse, below: Token, above: Token, stand: ClaimStatus) -> Stand:
    """What of “that I sail” is left below “I think”, “I found out”, “she said”."""
    introduced = marks(parse, below)
    if introduced & CONDITIONS:
        return Drop.CONDITIONAL
    first, set_off = own_status(parse, above), is_set_off(parse, below, above)
    marked = bool(parse.children(below, "mark"))
    if above.lemma in GUESSING:
        return Drop.GUESS
    if below.i < above.i and not marked and set_off:
        return stand  # “Got the tattoo years ago, it stands for …”
    who = subject(parse, above)
    mine = who is None or who.text.casefold() in FIRST_PERSON | US
    found_out = above.lemma in FACTIVE and mine and first in (ClaimStatus.ASSERTED, Drop.OPINION)
    presupposed = above.lemma == "be" and first is not Drop.QUESTION and _is_presupposed(parse, above, introduced)
    if found_out or presupposed or (set_off and not marked):
        return stand
    return Drop.EMBEDDED if mine else Drop.REPORTED


def _is_presupposed(parse: Parse, above: Token, introduced: set[str]) -> bool:
    """“That is why I sail”, “it's great that we have met”, whatever is thought of it."""
    praised = any(word.lemma in EVALUATIVE for word in parse.children(above, "acomp"))
    negated = parse.children(above, "neg")
    return not negated and (praised or bool(introduced & {"why"}))
