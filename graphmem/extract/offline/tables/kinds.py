"""What the words of a name, and the nouns beside it, tell of its kind, in spaCy's labels.

“Sorrel Lake” may be a band, but who says no more means a lake: where only the name speaks, its last word does.
"""

from collections.abc import Mapping

from graphmem.extract.offline.tables.lexicon import CONSUMED, INSTRUMENTS_AND_GAMES, OCCUPATIONS, PRACTISED
from graphmem.extract.offline.tables.roles import ROLES
from graphmem.extract.offline.tables.words import words


def _labels(table: Mapping[str, str]) -> Mapping[str, str]:
    return {word: label for label, listed in table.items() for word in words(listed)}


LAST_WORDS = _labels(
    {
        "ORG": """
            inc inc. corp corp. corporation ltd ltd. llc plc gmbh ag company co. university college school academy
            institute institution association society federation foundation committee commission council ministry
            department agency authority bureau bank group holdings partners records studios pictures entertainment
            airlines airways motors industries technologies systems solutions software labs laboratories party union
            league club fc united orchestra symphony choir ensemble hospital clinic church army navy regiment battalion
            brigade squadron corps police press publishers publishing magazine newspaper senate parliament congress
            consortium cooperative
        """,
        "LOC": """
            river lake creek brook pond reservoir bay gulf sea ocean strait falls glacier valley canyon mountain
            mountains mount hill hills peak ridge range island islands peninsula coast beach cape desert forest swamp
            plateau basin fjord volcano cave harbor harbour
        """,
        "FAC": """
            street avenue road lane boulevard drive highway bridge tunnel airport stadium arena tower castle palace
            cathedral square plaza station railroad railway canal dam park gardens cemetery dock pier lighthouse temple
            mosque abbey junction
        """,
        "GPE": "city town village county province municipality republic kingdom empire parish township",
        "EVENT": """
            war battle festival olympics championship championships cup tournament marathon regatta games awards
            conference convention summit symposium election elections revolution rebellion uprising derby
        """,
    }
)
"""Last words that tell the kind of names of several words: “Hyrule Labs”, “Fennel Brook”."""

PROJECT = "PROJECT"
"""A label that spaCy does not have."""

_PERSONS = (
    OCCUPATIONS
    | {noun for noun, kind in ROLES.items() if kind == "person"}
    | words(
        """
    man woman boy girl guy lady gentleman person leader president chairman politician footballer player cricketer
    boxer swimmer skater rower wrestler racer cyclist golfer guitarist drummer bassist vocalist rapper songwriter
    conductor violinist pianist cellist filmmaker screenwriter playwright author king queen prince princess emperor
    duke duchess count earl baron knight bishop archbishop pope cardinal priest monk nun saint general colonel
    captain lieutenant admiral officer minister senator governor mayor ambassador activist philosopher explorer
    inventor entrepreneur businessman businesswoman executive critic scholar theologian missionary
    """
    )
)

DEFINED_BY = _labels(
    {
        "PERSON": " ".join(_PERSONS),
        "ORG": """
            band company club team party organization organisation agency university school college orchestra bank
            airline firm corporation startup manufacturer publisher retailer charity association society institute
            institution federation duo trio quartet league newspaper subsidiary hospital union
        """,
        "GPE": """
            city town village municipality county country province state republic kingdom commune hamlet suburb
            neighborhood neighbourhood district township settlement borough parish capital region
        """,
        "LOC": "river lake mountain island creek bay valley beach peninsula desert forest glacier stream hill volcano",
        "FAC": "street road avenue bridge airport stadium castle palace tower park square highway",
        "EVENT": "festival war battle tournament championship competition conference election holiday",
        "PRODUCT": "phone smartphone laptop camera console car aircraft rifle app software tool browser",
        "WORK_OF_ART": "album song single novel book film movie painting poem opera musical sitcom series",
    }
)
"""Nouns of which something is said to be one: “Velmore is a village”, “the band Zork”, “Acme, a company”."""

TITLES = words("mr mr. mrs mrs. ms ms. dr dr. prof prof. sir lt. capt. col. gen. sgt. rev.")
"""Short titles: nothing but a person has one in the name."""

SPOKEN_TITLES = TITLES | words(
    """
    lord lady king queen prince princess president senator captain general colonel major lieutenant sergeant judge
    bishop pope reverend professor doctor coach uncle aunt
    """
)
"""Titles that stand before the name of a person."""

KIND_NOUNS = frozenset({*LAST_WORDS, *DEFINED_BY, "board", "faculty", "house", "order"})
"""Words for kinds, some of which are last names."""

TYPE_NOUNS = INSTRUMENTS_AND_GAMES | PRACTISED | CONSUMED
"""Words for kinds that nobody is called by."""
