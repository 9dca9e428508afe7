"""The words that the open reader asks about."""

from graphmem.extract.offline.tables.words import words

FIRST_PERSON = words("i me my mine myself")
US = words("we us our ours ourselves")
NOMINATIVES = words("i you he she we they it")
SECOND_PERSON = words("you your yours yourself yourselves ya y'all")
THIRD_PERSON = words("he him his himself she her hers herself it its itself they them their theirs themselves")
PLURAL = words("they them their theirs themselves")
DEMONSTRATIVES = words("this that these those")

FACTIVE = words(
    """
    know realize realise find notice learn discover remember forget mention announce share mean show prove love
    like hate enjoy glad happy proud excited thrilled grateful thankful lucky relieved sad sorry
    """
)
"""What follows “I realized that” is so."""

GUESSING = words(
    """
    think guess suppose believe hope wish imagine doubt assume wonder dream pretend expect bet feel suspect hear seem
    swear figure reckon say claim
    """
)
"""What follows “I think that”, or “I heard that”, may not be."""

OPINING = words("assume doubt suspect think believe feel find guess suppose consider agree imagine bet figure reckon")
"""“I think that …” tells what somebody thinks of something."""

SEEMING = words("seem sound appear look")

FACTUAL_MARKS = words("because since as after when while although though before once whenever")
HABITUAL = words("when whenever while once")
"""In the present, they say when something may be, not that it is."""
TEMPORAL = words("since when after")
AROUND = words("after before during throughout since within")
"""Prepositions of what a sentence can do without."""
ANNOUNCING = words("tell say share announce mention report")
CONDITIONS = words("if unless whether lest provided")
HEDGES = words(
    "maybe perhaps probably possibly hopefully supposedly apparently almost nearly presumably practically basically "
    "virtually"
)
UNREAL = words("dream ideal imaginary fictional hypothetical")
"""Before a noun: there is none."""
ELSEWHERE = (
    "in another life", "in a past life", "in a parallel", "in an ideal world", "in a perfect world", "in theory",
    "in my dream", "in my imagination", "in an alternat",
)  # fmt: skip
"""What is so there is not so here."""

PLANNING = words("plan intend aim arrange decide schedule prepare")
WISHING = words("want wish hope dream long wait")
PREFERRING = words("love like hate prefer enjoy adore dislike")

CERTAIN = words("sure certain confident positive")

ELIDED = words("appreciate love hope want need plan work live miss enjoy like feel")
"""Verbs in the present of which nobody but the speaker is left out: “Love this city”."""

VAGUE_SUBJECTS = words(
    """
    it this that these those there here what which who everything something anything nothing thing things all everyone
    everybody one lot bit bunch ton someone somebody nobody anyone anybody
    """
)

VAGUE_OBJECTS = words(
    """
    thing things stuff one ones way ways something anything everything nothing someone anyone everyone it this that
    these those lot bit ton kind sort all idea some any most much many none few more other moon fire finger best beat
    thought
    """
)

EVERYBODY = words("everyone everybody people folks")
"""Of whom “they” speaks, also of one."""

PICTURES = words("picture photo pic snapshot snap image video clip peek glimpse look selfie screenshot shot")
"""What is shown in a talk."""

SHOWABLE = words("make paint draw bake cook build buy write take create design sew knit carve craft plant sculpt frame")
"""Verbs whose object is new, though “this” points at a picture of it: “I made this bowl”."""

EVALUATIVE = words(
    """
    great cool nice awesome amazing wonderful fun lovely fantastic incredible rewarding good sad hard tough crazy
    special exciting inspiring relaxing fulfilling satisfying enjoyable powerful magical refreshing humbling thrilling
    calming comforting challenging frustrating interesting peaceful therapeutic eye-opening memorable stressful scary
    helpful difficult easy
    """
)
"""How something was for somebody, which says that it was."""

PURSUING = words("love like enjoy start begin do practice try play learn study join take keep use prefer adore")
"""Verbs whose object “it” speaks of in the next sentence: “I started yoga. It helps me”."""

FUN = words(
    "blast fun news memory progress moment chance ton lot lots laugh time day ride break opportunity experience impact"
)
"""What a good time is called."""

PEOPLE = words("family fam parent crew team people folk kid child baby")
"""Of whom “it” does not speak."""

DEGREES = words(
    "so too also totally really already definitely completely just well fully always truly hard together great better"
)
"""Adverbs that complete no clause."""

DREAMS = words(
    """
    difference impact dream goal best passion belief mind head spirit hope way self journey heart ambition step progress
    themselves myself ourselves
    """
)
"""What is kept in encouraging words."""

PASSING = words(
    "last next first second old former ex late own whole only favorite favourite future new potential ideal current"
    " initial overall existing original previous final latest"
)
"""Before a noun, they say that it is not simply had now."""

NOTHING_HAD = words(
    """
    life heart mind dream goal passion feeling emotion hope way thought journey health body soul energy spirit mood
    story idea experience time mistake performance progress skill level game match season week weekend trip vacation
    tournament competition contest event party interview meeting exam test creation craving
    option choice view opinion word focus priority thing work effort career income identity esteem growth goal routine
    attempt code approach implementation structure style deadline path consistency measure commitment balance step
    understanding output input result setup logic request response error problem question need
    score format section topic submission technique file message rate size speed performance coverage accuracy statement
    visibility credibility clarity quality gap development improvement update growth count answer
    """
)
"""What is no thing that somebody has, though they say “my”."""

GONE = words(
    "steal stolen lose sell sold shut close quit cancel leave divorce dump total wreck tow die vanish disappear"
) | {
    "give away",
    "give to",
    "put down",
    "get rid",
    "rid of",
    "rob of",
    "break up",
    "run away",
    "pass away",
    "burn down",
}
"""Verbs, with their particles, that say of what they are about that it is had no more: “my dog died”."""

PONDERING = words("feel think wonder try worry appreciate consider decide struggle")
"""What somebody does now, whatever day it is about."""

ENOUGH = words("die retire graduate divorce swim drive dance ski skate sing juggle sail surf")
"""Verbs that say enough by themselves: “my dog died”, “I can't swim”."""

YOUTH = words("kid child boy girl baby teen teenager")
"""What everybody was."""

OCCASIONS = words("feeling experience day time moment night blast honor relief evening week sight memory")
"""What “it” was, of all that happened."""

PERCEIVING = words("see hear watch know feel be have realize")
"""Verbs whose gerund begins what makes somebody feel something."""

MOODS = words(
    """
    happy sad glad excited proud sorry grateful thankful lucky tired stressed relieved nervous thrilled sure ready okay
    ok fine good great busy curious blessed inspired stoked impressed amazed surprised interested well alright afraid
    scared young content motivated
    supported upbeat hopeful psyched pumped honored touched moved free able overwhelmed hooked bad down awful exhausted
    """
)
"""How somebody feels at the moment."""

PARTICLES = words("back away together apart")
"""Adverbs that make another verb of a verb: “get back from”."""

TIMES = words("week month year weekend morning afternoon evening night day summer winter spring fall autumn time")

LEADING_ADVERBS = words(
    "ever so also just then anyway plus actually really honestly well even still now especially particularly however"
)
"""Before a verb, they say nothing that a sentence by itself needs."""

SHORTENED = {
    "n't": "not", "nt": "not", "ca": "can", "wo": "will", "'ll": "will", "'re": "are", "'ve": "have", "'m": "am",
}  # fmt: skip
"""What is written after an apostrophe, in full; “'s” and “'d” depend on the verb."""

IRREGULAR = {
    "have": "has", "'ve": "has", "do": "does", "go": "goes", "am": "is", "'m": "is", "are": "is", "'re": "is",
    "were": "was",
}  # fmt: skip
"""The third person of a verb."""

UNCHANGED = words("put cut hit set hurt let quit shut spread cost beat bet burst cast split")
"""Verbs whose past is spelled as their present."""

LIGHT = words(
    """
    begin start keep continue get want plan hope wish love like prefer enjoy go have use manage help wait dream
    """
)
"""Verbs that say how, beside another verb that says what."""

AHEAD = LIGHT | words("decide think look")
"""Verbs that say of another verb how, or that it is not done yet: “I'm thinking of selling my boat”."""
