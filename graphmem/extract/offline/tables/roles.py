"""Nouns that say who somebody is to somebody: “my sister Ana”."""

from collections.abc import Mapping

from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.words import words

_PEOPLE = words(
    """
    sister brother sibling twin stepsister stepbrother sis bro mother father mom mum dad mommy daddy mama papa
    stepmother stepfather son daughter child kid stepson stepdaughter cousin uncle aunt auntie niece nephew
    grandmother grandma grandfather grandpa grandson granddaughter wife husband spouse boyfriend girlfriend fiancé
    fiancée fiance fiancee friend buddy pal bestie colleague coworker teammate workmate roommate flatmate housemate
    roomie neighbor neighbour boss manager supervisor
    """
)
ROLES: Mapping[str, str] = dict.fromkeys(_PEOPLE, "person") | dict.fromkeys(PETS, "animal")
"""The type of who bears the role."""

PERSONS = words(
    """
    mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law ex-wife ex-husband ex-boyfriend
    ex-girlfriend ex-partner ex parents parent in-laws partner doctor dentist therapist landlord landlady coach teacher
    tutor mentor client nurse lawyer accountant trainer instructor professor student godmother godfather
    gp vet physio psychiatrist surgeon midwife paediatrician pediatrician hairdresser barber babysitter nanny carer
    solicitor
    """
)
"""Who is a person, and whose, but in no way that has a predicate."""
