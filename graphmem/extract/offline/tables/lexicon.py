"""The words that the rules ask about: vague nouns, what is no name, what people keep and do."""

from graphmem.extract.offline.dates.finder import DATE_WORDS
from graphmem.extract.offline.tables.words import words

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

UNITS = words("kg km cm mm lb lbs oz mph kmh ml mg gb mb tb kb hz mhz ghz kwh fps rpm usd eur gbp am pm")

VAGUE = words(
    """
    thing things one ones stuff way ways time times lot lots bit bunch kind sort part parts idea ideas place person
    people someone something anything nothing everything everyone anyone somebody anybody other others same rest
    fact feeling look sound thought day days moment moments copy couple few job jobs
    """
)
"""Nouns that name nothing by themselves."""

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

CONSUMED = words(
    """
    gluten lactose fructose histamine wheat soy sugar caffeine alcohol dairy pork shellfish
    coffee tea beer wine soda juice milk water meat fish chicken beef bacon bread cheese chocolate candy sweet egg
    cigarette tobacco nicotine weed
    """
)
"""What one can give up, or change to."""

PRACTISED = words("yoga pilates karate judo aikido taekwondo meditation ballet calligraphy archery parkour capoeira")

PERIODS = words("day morning afternoon evening night week month year")

PETS = words("dog pup puppy cat kitty kitten horse parrot rabbit hamster turtle tortoise snake")

PARTICLES = words("de da do dos von van der del della di du la le bin ibn al el")
"""Between the parts of a name."""
