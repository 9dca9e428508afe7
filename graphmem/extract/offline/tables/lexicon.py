"""The words that the rules ask about: hedges, doubts, vague nouns, what is no name."""

from graphmem.extract.offline.dates.finder import DATE_WORDS
from graphmem.extract.offline.tables.words import words

HEDGES = words(
    """
    maybe perhaps probably possibly presumably supposedly apparently allegedly hopefully almost nearly hardly barely
    rarely seldom practically soon eventually someday once tomorrow ever
    """
)
"""Said with one of these, it is not said."""

DOUBTS = words(
    """
    think guess suppose believe hope wish imagine doubt assume hear wonder dream pretend want plan expect bet seem
    feel claim say swear consider suspect fear if
    """
)
"""What follows “I think” is not told."""

TELLING = words(
    """
    know mention tell say remember mean realize realise forget announce share happy glad proud excited sad sorry
    """
)
"""What follows “I told you that” is told."""

FACTUAL_MARKS = words("since because as after when although though while why and")

CONDITIONS = words("if unless whether lest")

NEGATIONS = words("not n't n’t never dont doesnt didnt nobody none neither")

NOT_NAMES = DATE_WORDS | words(
    """
    i me my we us you he she it they mom mum dad mommy daddy mother father grandma grandpa granny nana auntie uncle
    sis bro honey babe dude guys folks everyone someone sir madam lord god please no cool awesome great sounds good
    nice love work home school wanna gonna lemme gotta bummer looky fyi asap lol omg btw imo tbh idk mon tue tues
    wed thu thur thurs fri sat sun last next glad sure
    """
)
"""Words that spaCy takes for names."""

ABBREVIATED = words("inc ltd co corp llc plc bros jr sr st mt dept univ assoc dr prof mr mrs ms etc")
"""Last words of names that have a period of their own."""

BEFORE_NAMES = words("a an and as at but for from he his i in is it my of on our she so the they to was we with")
"""Words before a name that a sentence may begin with."""

GIVEN_NAMES_TOO = words(
    """
    amber april art august autumn bill carol chance chase crystal daisy dawn eve faith fern frank gene grace grant hazel
    heather holly hope hunter iris ivy jade jasmine jewel joy june lance lily mark may melody mercy miles olive pearl
    pat penny peter rich rob rose ruby sage sandy skip sky summer sunny violet wade will
    """
)
"""Months, verbs and things that are also given names."""

VARIETIES = words(
    """
    british american canadian australian irish scottish indian brazilian european mexican argentinian swiss austrian
    belgian egyptian moroccan levantine modern ancient classical medieval
    """
)
"""Before the name of a language, a part of it, however it is written: “swiss German”."""

UNITS = words("kg km cm mm lb lbs oz mph kmh ml mg gb mb tb kb hz mhz ghz kwh fps rpm usd eur gbp am pm")

VAGUE = words(
    """
    thing things one ones stuff way ways time times lot lots bit bunch kind sort part parts idea ideas place person
    people someone something anything nothing everything everyone anyone somebody anybody other others same rest
    fact feeling look sound thought day days moment moments copy couple few job jobs
    """
)
"""Nouns that name nothing by themselves."""

VAGUE_ADJECTIVES = words("such more many much same few own other another certain least most")

ARTICLES = words("a an the some any my our this these another")
"""What may stand before a common noun that is claimed."""

INSTRUMENTS_AND_GAMES = words(
    """
    piano guitar violin cello ukulele drum flute clarinet saxophone trumpet bass tennis football soccer basketball
    volleyball baseball hockey golf chess poker badminton rugby cricket
    """
)

KEPT = words(
    """
    dog pup kitty cat puppy kitten horse parrot rabbit hamster turtle tortoise snake fish car bike bicycle
    motorcycle scooter van truck boat house apartment flat cottage cabin piano guitar violin cello ukulele
    """
)

COURSES = words(
    """
    class course program programme workshop gym team club race marathon tournament competition group
    """
)

OCCUPATIONS = words(
    """
    accountant actor actress analyst architect artist assistant baker barista bartender biologist bookkeeper builder
    butcher carpenter cashier chef chemist cleaner clerk coach comedian composer consultant contractor cook counselor
    dancer dentist designer developer director doctor driver economist editor electrician engineer farmer firefighter
    fisherman gardener geologist hairdresser historian janitor journalist judge lawyer lecturer librarian lifeguard
    manager masseuse mechanic midwife model musician nanny nurse optician painter paleontologist paramedic pharmacist
    photographer physician physicist physiotherapist pianist pilot plumber poet policeman politician professor
    programmer psychiatrist psychologist receptionist recruiter reporter researcher salesman scientist secretary
    sculptor singer soldier student surgeon tailor teacher technician therapist translator tutor veterinarian vet
    waiter waitress writer acrobat acupuncturist actuary animator anthropologist archaeologist archeologist astronaut
    astronomer auditor banker barber barrister biochemist blogger botanist bouncer brewer broker butler buyer
    caretaker cartoonist caterer chiropractor concierge copywriter cardiologist curator dermatologist
    detective dietitian diplomat florist geographer glazier headmaster housekeeper hygienist
    illustrator intern jeweler jeweller joiner linguist locksmith mailman mathematician neurologist notary novelist
    nutritionist obstetrician optometrist orthodontist paediatrician paralegal pediatrician philosopher postman
    potter producer psychotherapist radiologist realtor roofer seamstress sociologist solicitor sommelier statistician
    stockbroker superintendent trader upholsterer welder winemaker
    """
)

POSITIONS = words("head chief lead founder president partner chair trainee apprentice employee")
"""What somebody is in an organization, not by trade."""

IDENTITIES = words(
    "vegetarian vegan pescatarian catholic christian muslim buddhist hindu atheist widow widower veteran"
)

EXAMS = words("exam test degree thesis dissertation apprenticeship licence license certification bootcamp marathon")

AILMENTS = words(
    """
    asthma diabetes epilepsy migraine migraines adhd arthritis allergy dyslexia insomnia hypertension tinnitus anemia
    anaemia eczema scoliosis
    """
)

GATHERINGS = words(
    "summit conference festival meeting forum workshop convention congress symposium expo fair gala meetup webinar"
)
"""Who attends one does not study there."""

TRAITS = words(
    """
    shy introverted extroverted outgoing ambitious stubborn impatient patient organized organised messy
    optimistic pessimistic competitive sensitive talkative creative lazy punctual forgetful adventurous spontaneous
    disciplined cautious easygoing sociable clumsy sarcastic nerdy frugal generous reserved thoughtful
    perfectionistic superstitious
    """
)
"""What somebody is by nature, rather than at the moment."""

CHARACTERS = words(
    """
    introvert extrovert ambivert perfectionist optimist pessimist workaholic minimalist owl bird homebody procrastinator
    """
)

DISABILITIES = words("diabetic asthmatic celiac coeliac dyslexic epileptic colorblind colourblind deaf blind autistic")

SUBSTANCES = words("gluten lactose fructose histamine wheat soy sugar caffeine alcohol dairy pork shellfish")

CONSUMED = SUBSTANCES | words(
    """
    coffee tea beer wine soda juice milk water meat fish chicken beef bacon bread cheese chocolate candy sweet egg
    cigarette tobacco nicotine weed
    """
)
"""What one can give up, or change to."""

FOREGONE = {"fly": "flying", "drive": "driving", "smoke": "smoking", "drink": "drinking"}
"""What “I don’t fly” does without."""

PRACTISED = words("yoga pilates karate judo aikido taekwondo meditation ballet calligraphy archery parkour capoeira")

COLLECTED = words("stamp coin vinyl record postcard comic antique book card magnet figurine watch")

ANSWERING = words("answer reply respond write speak talk address format sign translate")
"""What an assistant does for who asks it, so that it need not be said for whom."""

STYLE = words("emoji emojis markdown bullets slang jargon celsius fahrenheit abbreviations")
"""What is asked of an answer."""

STANDING = words("always never ever")

HABITUAL = words("usually normally typically regularly always often generally daily weekly")

PERIODS = words(
    """
    day morning afternoon evening night week weekend month year monday tuesday wednesday thursday friday saturday sunday
    """
)

MENTAL = words(
    """
    be think know feel want love like hate wish hope forget remember say tell mean believe need hear find get seem
    look wonder guess suppose try end keep start miss lose enjoy prefer admire appreciate agree assume
    """
)
"""Verbs of which “always” makes no habit."""

SAYING_NOTHING = words("again also as lately more much now nowadays quite really recently so too very")
"""What says nothing at the end of a deed: “go to the gym again”."""

RECURRING = words("every each any per a an")

UNCLEAR = words("it them they him her he she you your this that these those there here so same other then such")
"""What only the words before explain."""

UNSPECIFIC = words("part thing person one moment memory day time kind way")
"""Of which nobody has a favorite that says something by itself."""

GREETINGS = words("hi hey hello hiya dear yo good morning afternoon evening night goodnight bye goodbye welcome")
"""What stands before the name of who is spoken to. “Thanks, Maya” at the end of a letter is who speaks."""

CALLED_NOBODY = words("support team customer all everyone everybody both assistant bot folks friends sirs colleagues")
"""What is greeted, and is nobody's name."""

THE_SECOND_PERSON = words("you your yours yourself u ya you're you’re")

LISTED = words("and or & nor")

TEAMS = words("team department project office branch shop store bakery restaurant cafe club company agency band choir")

COUNTED = words("order purchase invoice booking reservation shipment parcel package ticket case issue bug complaint")
"""Of which each has a number: without one, or a word more, nobody knows which is meant."""

RECEIVED = words(
    "refund replacement parcel package order invoice delivery shipment voucher confirmation raise promotion"
)

CANCELLED = words(
    "subscription order membership booking reservation account appointment flight plan trip contract meeting delivery"
)

SITES = words(
    """
    village town city municipality commune district county province region state island suburb neighborhood
    neighbourhood township community borough parish hamlet settlement river lake mountain park museum school
    university college hospital station airport stadium church cathedral building castle bridge company restaurant
    """
)

WORKS = words("album song single film novel book painting poem play opera game series track documentary movie ep")

PETS = words("dog pup puppy cat kitty kitten horse parrot rabbit hamster turtle tortoise snake")

SOMEBODY = words(
    """
    man woman guy girl boy lady person people somebody someone everyone everybody anyone nobody doctor teacher baby
    them they you your
    """
)
"""Of whom “she” may speak as well as of the person named."""

PLAIN_ADJECTIVES = words(
    """
    little big older younger elder eldest oldest youngest best good dear close new twin lovely wonderful own only
    beloved sweet great weird crazy funny favorite favourite amazing oldest closest
    """
)
"""What may stand before the noun of a role; “late”, “former” and “ex” may not."""

COUNTRIES = words(
    """
    afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahrain bangladesh
    belarus belgium belize benin bhutan bolivia botswana brazil britain bulgaria burundi cambodia cameroon canada
    chad chile china colombia croatia cuba cyprus denmark ecuador egypt england eritrea estonia ethiopia finland
    france gabon germany ghana great_britain greece guatemala guinea guyana haiti honduras hungary iceland india
    indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kuwait laos latvia lebanon lesotho
    liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia mali malta mauritania mexico moldova
    monaco mongolia montenegro morocco mozambique myanmar namibia nepal netherlands new_zealand nicaragua niger
    nigeria north_korea norway oman pakistan panama paraguay peru philippines poland portugal qatar romania russia
    rwanda saudi_arabia scotland senegal serbia sierra_leone slovakia slovenia somalia south_africa south_korea spain
    sri_lanka sudan sweden switzerland syria taiwan tanzania thailand togo tunisia turkey uganda ukraine
    united_kingdom united_states uruguay usa uzbekistan venezuela vietnam wales yemen zambia zimbabwe
    papua_new_guinea kiribati fiji samoa tonga
    """
)
"""What lies in no other place that a comma names."""

BELIEFS = words(
    """
    christian christians catholic catholics protestant orthodox anglican lutheran muslim islamic sunni shia jewish jew
    jews buddhist hindu sikh democrat democratic democrats republican republicans conservative liberal communist
    socialist nazi labour social marxist baptist methodist presbyterian mormon evangelical
    """
)
"""What spaCy takes for a nation, and is a faith or a party."""

HUMAN_ENDINGS = (
    "er", "or", "ist", "ian", "man", "woman", "ess", "ete", "eer", "ant", "poet", "judge", "chef", "cook", "coach",
    "artist", "pilot", "nurse", "architect", "soldier", "president", "king", "queen", "priest", "bishop", "saint",
    "critic", "scholar", "diplomat", "activist", "citizen", "star", "ace", "author", "bassist", "goalkeeper",
)  # fmt: skip
"""Of nouns for what somebody is."""

PARTICLES = words("de da do dos von van der del della di du la le bin ibn al el")
"""Between the parts of a name."""

EMPTY_ADJECTIVES = words(
    """
    real professional proper good great bad terrible proud young simple mere certified licensed new full-time part-time
    """
)
"""They make no other occupation of one."""
