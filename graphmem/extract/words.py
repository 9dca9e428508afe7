"""The words that the rules ask about: hedges, doubts, vague nouns, what is no name."""

from graphmem.extract.dates import DATE_WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEDGES = _words(
    """
    maybe perhaps probably possibly presumably supposedly apparently allegedly hopefully almost nearly hardly barely
    rarely seldom practically soon eventually someday once tomorrow ever
    """
)
"""Said with one of these, it is not said."""

DOUBTS = _words(
    """
    think guess suppose believe hope wish imagine doubt assume hear wonder dream pretend want plan expect bet seem
    feel claim say swear consider suspect fear if
    """
)
"""What follows “I think” is not told."""

TELLING = _words(
    """
    know mention tell say remember mean realize realise forget announce share happy glad proud excited sad sorry
    """
)
"""What follows “I told you that” is told."""

FACTUAL_MARKS = _words("since because as after when although though while why and")

CONDITIONS = _words("if unless whether lest")

NEGATIONS = _words("not n't n’t never dont doesnt didnt nobody none neither")

NOT_NAMES = DATE_WORDS | _words(
    """
    i me my we us you he she it they mom mum dad mommy daddy mother father grandma grandpa granny nana auntie uncle
    sis bro honey babe dude guys folks everyone someone sir madam lord god please no cool awesome great sounds good
    nice love work home school wanna gonna lemme gotta bummer looky fyi asap lol omg btw imo tbh idk mon tue tues
    wed thu thur thurs fri sat sun last next glad sure
    """
)
"""Words that spaCy takes for names."""

VAGUE = _words(
    """
    thing things one ones stuff way ways time times lot lots bit bunch kind sort part parts idea ideas place person
    people someone something anything nothing everything everyone anyone somebody anybody other others same rest
    fact feeling look sound thought day days moment moments copy couple few job jobs
    """
)
"""Nouns that name nothing by themselves."""

VAGUE_ADJECTIVES = _words("such more many much same few own other another certain least most")

ARTICLES = _words("a an the some any no my our this these another")
"""What may stand before a common noun that is claimed."""

INSTRUMENTS_AND_GAMES = _words(
    """
    piano guitar violin cello ukulele drum flute clarinet saxophone trumpet bass tennis football soccer basketball
    volleyball baseball hockey golf chess poker badminton rugby cricket
    """
)

KEPT = _words(
    """
    dog pup kitty cat puppy kitten horse parrot rabbit hamster turtle tortoise snake fish car bike bicycle
    motorcycle scooter van truck boat house apartment flat cottage cabin piano guitar violin cello ukulele
    """
)

COURSES = _words(
    """
    class course program programme workshop gym team club race marathon tournament competition group
    """
)
