"""The first words of canonical predicates, in the present and in the past."""

from collections.abc import Mapping

_PAIRS = """
achieves achieved, adopts adopted, applies applied, appreciates appreciated, asks asked, eats ate, attends attended,
becomes became, believes believed, belongs belonged, bonds bonded, brings brought, buys bought, breaks broke,
campaigns campaigned,
camps camped, cares cared, catches caught, celebrates celebrated, changes changed, chooses chose, climbs climbed,
collects collected, comes came, competes competed, considers considered, contains contained, continues continued,
cooks cooked,
dances danced, dates dated, decides decided, decorates decorated, dislikes disliked, donates donated,
expresses expressed, faces faced, fails failed, fears feared, feels felt, finds found, finishes finished,
founds founded, forgets forgot, gives gave, gets got, graduates graduated, grows grew, has had, helps helped,
hikes hiked, hires hired,
imagines imagined, improves improved, injures injured, invests invested, invites invited, is was, joins joined,
keeps kept, knows knew, lasts lasted, leads led, learns learned, leaves left, lends lent, likes liked,
listens listened, lives lived, looks looked, loses lost, makes made, marries married, meets met, misses missed,
mourns mourned, moves moved, needs needed, networks networked, notices noticed, opens opened, organizes organized,
paints painted, passes passed, performs performed, plants planted, plays played, posts posted, practices practiced,
prefers preferred, presents presented, promotes promoted, proposes proposed, pursues pursued, puts put, raises raised,
reads read, realizes realized, recommends recommended, records recorded, rehearses rehearsed,
relaxes relaxed, remembers remembered,
repairs repaired, retires retired, returns returned, rides rode, runs ran, sees saw, shares shared, signs signed,
sells sold, spends spent, starts started, stays stayed, struggles struggled, studies studied, supports supported,
swims swam, talks talked, teaches taught, tidies tidied, tells told, takes took, trains trained, tries tried,
trusts trusted, uses used, visits visited, volunteers volunteered, walks walked, watches watched, wears wore, goes went,
wins won, works worked, worries worried, writes wrote
"""
PAST_OF: Mapping[str, str] = {pair.split()[0]: pair.split()[1] for pair in _PAIRS.split(",")}
PRESENT_OF: Mapping[str, str] = {past: present for present, past in PAST_OF.items()}
_ALSO_PRESENT = frozenset({"read", "put", "lent", "left", "found", "fell", "bound", "ground"})
STRONG_PAST = frozenset(f"{again}{past}" for past in PRESENT_OF for again in ("", "re") if not past.endswith("ed")) - (
    _ALSO_PRESENT | {f"re{past}" for past in _ALSO_PRESENT}
)
"""Forms that are of the past, whatever the parser takes them for: “wrote”, “rewrote”."""
