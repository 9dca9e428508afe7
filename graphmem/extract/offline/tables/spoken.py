"""How people write when they talk: greetings, interjections, and words that no dictionary spells so."""

from graphmem.extract.offline.tables.words import words

CLOSING = (".", "!", "?", "…")
DASHES = frozenset({"-", "–", "—", "--", ";"})
OPENING = frozenset({'"', "“", "«", "„", "("})
"""Marks at which a segment may begin."""

GREETINGS = words("hey hi hiya hello heya yo howdy congrats congratulations welcome")
"""What stands before the name of who is spoken to. After “Thanks,” may come who speaks."""

INTERJECTIONS = words(
    """
    wow whoa woah oh ooh ah aw aww awww ahh yeah yea yes yep yup no nope nah ok okay sure well haha hahaha lol
    ha heh hmm hm ugh phew yay woo woohoo woot yikes oops ty btw fyi cool awesome great nice amazing wonderful
    fantastic incredible perfect sweet true thanks thx cheers bye goodbye exactly absolutely definitely totally
    certainly agreed indeed right alright sorry please honestly actually basically anyway anyways also plus
    additionally luckily fortunately thankfully sadly unfortunately omg gosh damn dang gee man dude bro overall
    personally likewise same
    """
)
"""Words that say nothing by themselves: they are cut before a mark."""

FILLERS = words("so and but oh hey wow yeah hi hello aw aww ah anyway plus")
"""Words that say nothing by themselves, and are cut also where no mark follows."""

NAMING = words(
    """
    a an the and or but nor with without to for of by from at in on about like than as near beside against between
    is was are were be been being am it's that's named called call name see saw seen meet met know knew love loved
    like liked tell told ask asked thank help helped invite invited miss visit visited call find found my your his her
    our their this that dear not just only even also both
    """
)
"""Words after which a name belongs to the sentence: “I went there with Nate”, not “I love the thought Nate”."""

CALLED = words("buddy pal mate friend everyone everybody guys folks girl bro dude man dear honey sis")
"""What people are called beside their names."""

_PHRASES = """
    thank you / thanks so much / thanks a lot / thanks again / thank you so much / congrats again / by the way
    / of course / no worries / no problem / no way / for sure / for real / good morning / good evening / good
    night / good afternoon / good luck / good to know / my god / my goodness / oh my / oh my god / oh my gosh
    / oh my goodness / you know / you know what / you bet / you too / me too / guess what / to be honest / in
    fact / long time no see / take care / what 's up / sounds good / sounds great / got it / i see / i mean /
    i know / makes sense / as always / same here
"""
LEADING = frozenset(tuple(phrase.split()) for phrase in _PHRASES.split("/"))
"""Interjections and greetings of several words."""

SPELLED = {
    "cuz": "because", "coz": "because", "'cause": "because", "'em": "them", "u": "you", "ur": "your",
    "thru": "through", "tho": "though", "w/": "with", "kinda": "kind of", "sorta": "sort of", "lotta": "lot of",
    "pic": "picture", "pics": "pictures", "fam": "family", "bday": "birthday", "b-day": "birthday", "ppl": "people",
    "'til": "until", "'bout": "about", "vid": "video", "vids": "videos", "prolly": "probably", "convo": "conversation",
    "fave": "favorite", "fav": "favorite", "doin'": "doing", "goin'": "going", "gon": "going", "wan": "want",
    "wanna": "want to", "gonna": "going to",
}  # fmt: skip

_FEELING = words("excited thrilled proud grateful thankful lucky stoked pumped")

LEFT_OUT = {
    **dict.fromkeys(
        words(
            """
            got went had lost found met saw bought came spent started finished tried visited joined moved decided
            learned watched heard attended enjoyed loved began wrote ate quit volunteered graduated applied booked
            adopted celebrated baked hiked ran signed wanted needed forgot realized noticed talked ordered
            """
        ),
        ("I",),
    ),
    **dict.fromkeys(words("love miss hate prefer"), ("I",)),
    "been": ("I", "'ve"),
    **dict.fromkeys(words("hoping planning considering"), ("I", "'m")),
    **dict.fromkeys(_FEELING, ("I", "'m")),
}
"""What is left out before the word with which a sentence begins: “Lost my job”, “Been thinking”, “Excited to go”."""

LED_BY = words("just finally also recently already still really actually even then totally definitely")
"""Adverbs that may stand before a word whose “I” is left out: “Just got home”."""

GOING_ON = {
    "got": words("to ta"),
    **dict.fromkeys(words("love miss hate"), words("you your is was and")),
    **dict.fromkeys(words("lost found"), words("and in &")),
    **dict.fromkeys(_FEELING, words("you your")),
}
"""What follows only where something else is left out, or nothing: “Got to go”, “Lost in the woods”."""

DONE_TO = words("me us , . ! ? …")
"""What follows any word only where something is left out: “Got me thinking” leaves out “it”."""

_DENIED = words("do did does is was are were ca wo have has would could should")

LEMMAS = {"hoping": "hope", "hoped": "hope"}
"""The lemmas of words that the model takes for forms of another."""

SPELLED_AFTER = {
    ("gon", "na"): "to", ("wan", "na"): "to", ("got", "ta"): "to", ("i", "m"): "'m", ("i", "ve"): "'ve",
    **dict.fromkeys(((verb, "nt") for verb in _DENIED), "n't"),
}  # fmt: skip
"""What the tokenizer leaves of “gonna”, “im”, “dont”: by the part before."""
