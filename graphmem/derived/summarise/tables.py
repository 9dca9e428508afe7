"""English words that say little by themselves, and how small talk begins.

None of them is about anybody or anything in particular: what is left of a sentence without them is what it tells.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COMMON = _words(
    """
    a about after again all almost already also always am an and another any anymore anyone anything are aren around
    as at away back be because been before behind being between both but by can cannot cause could couldn did didn do
    does doesn doing don done down during each either else enough even ever every everybody everyone everything far
    few for from had hadn has hasn have haven having he her here hers herself him himself his how i if in inside into
    is isn it its itself just kinda least less let ll many may maybe me might mine more most much must my myself
    neither never no nobody none nor not nothing now of off often on once one ones only onto or other others our ours
    ourselves out outside over own per perhaps please quite rather re same she should shouldn since so some somebody
    someone something sometimes somewhere soon still such than that the their theirs them themselves then there these
    they this those though through till to today together too toward towards two under until up us ve very was wasn
    we were weren what whatever when where whether which while who whole whom whose why will with without won would
    wouldn yes yet you your yours yourself yourselves

    ask asked bring brings brought came come comes coming feel feeling feelings feels felt find finds found gave get
    gets getting give gives giving go goes going gone gonna gotta guess happen happened happening happens hear heard
    help helped helps keep keeping keeps kept knew know knowing known knows looked looking looks look made make makes
    making matter matters mean means meant need needed needs put remind reminded reminds said saw say saying says see
    seeing seem seems seen show shows stay take taken takes taking talk talked tell think thinking thinks thought told
    took tried try trying turn use used wait wanna want wanted wanting wants went wish

    amazing awesome bad beautiful best better big bit bunch chance cool couple crazy day days different easy end
    exactly excited excellent exciting fantastic favorite fine fun glad good great happiness happy hard hope hopefully
    huge idea important incredible inspiration inspired inspiring interesting kind last lately life like little
    long lot lots love lovely loved moment moments new next nice ok okay part people perfect place point pretty
    probably proud ready real really right small special stuff super sure sweet thank thanks thing things time times
    totally tough true truly way ways week weeks well wonderful worth wow year years
    """
)
"""Words of grammar, then verbs that need another word to tell anything, then praise and other vague words."""

CALLS = (
    *(
        "hey",
        "hi",
        "hiya",
        "hello",
        "thanks",
        "thank you",
        "thx",
        "wow",
        "whoa",
        "woah",
        "oh",
        "ah",
        "aw+",
        "(?:ha){2,}",
    ),
    *("lol", "yeah", "yes", "yep", "yup", "no", "nope", "sure", "ok", "okay", "cool", "nice", "great", "awesome"),
    *("exactly", "absolutely", "definitely", "totally", "of course", "congrats", "congratulations"),
)
"""What may stand before what is told, also with a name: “Hey Ana, ”. Patterns."""

LINKS = ("well", "anyway", "btw", "by the way", "honestly", "actually", "so", "and", "but", "plus", "also", "right")
"""What may stand before what is told, but without a name: in “But Ana, who …” it is told of Ana. Patterns."""

TALK = (
    *("hey", "hi", "hiya", "hello", "thanks?", "thx", "wow", "whoa", "woah", "oh", "aw+", "(?:ha){2,}", "lol"),
    *("congrats", "congratulations", "kudos", "cheers", "yeah", "yes", "yep", "yup", "nope", "sure", "ok", "okay"),
    *("absolutely", "definitely", "totally", "exactly", "agreed", "indeed", "of course", "bye", "goodbye"),
    *(
        "see (?:ya|you)",
        "take care",
        "good (?:luck|morning|evening|night|job|for)",
        "have a",
        "keep",
        "enjoy",
        "hang in",
    ),
    *("cool", "awesome", "nice", "great", "amazing", "sounds?", "glad", "sorry", "bummer", "no (?:problem|worries)"),
    *("my pleasure", "way to go", "well done", "so (?:cool|nice|happy|glad|sweet|sorry|true)", "can['’]t wait"),
    *(
        "let me",
        "let['’]?s",
        "check",
        "look",
        "here",
        "long time",
        "we can do",
        "we['’]ll make it",
        "we['’]ve got this",
    ),
    "i (?:agree|see|know|understand|get it|hear|bet|hope so|guess so|appreciate|can (?:only )?imagine)",
    "i['’]m (?:(?:so|really|very) )?(?:glad|happy|sorry|proud) (?:to hear|for|of|that)",
)
"""How sentences begin that only keep a talk going. Patterns."""

POINTING = _words(
    """
    it its this that these those they them their he him his she her which what who how there both same either neither
    """
)
"""Words that point back to another sentence where a sentence begins with one."""

JOINING = _words("and but so plus also because cause then")
"""Words that may come before a word that points back to another sentence."""
