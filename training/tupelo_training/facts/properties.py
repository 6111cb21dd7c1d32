"""WebNLG's relations as Wikidata properties, where one says the same; and names that FewRel's table lacks.

A relation that means different things for different subjects (`language`, `leaderName`, `region`) has no property.
"""

from __future__ import annotations

DATES = {
    "P569": "date of birth",
    "P570": "date of death",
    "P571": "inception",
    "P576": "dissolved, abolished or demolished date",
    "P577": "publication date",
    "P580": "start time",
    "P582": "end time",
    "P585": "point in time",
}

_TABLE = """
P6 mayor
P17 country
P19 birthPlace placeOfBirth
P20 deathPlace placeOfDeath
P27 nationality
P36 capital countySeat
P37 officialLanguage
P38 currency
P40 child
P47 neighboringMunicipality
P50 author
P54 club
P69 almaMater
P84 architect
P85 anthem
P98 editor
P106 occupation
P112 foundedBy founder
P115 ground
P118 league
P123 publisher
P127 owner owningOrganisation
P131 city district municipality state administrativeArrondissement administrativeCounty
P136 genre literaryGenre
P137 operator operatingOrganisation
P140 religion
P149 architecturalStyle
P155 precededBy
P156 followedBy
P159 headquarter headquarters
P161 starring
P166 award awards was_awarded
P170 creator
P172 ethnicGroup ethnicGroups
P178 developer
P179 series
P184 doctoralAdvisor
P186 material
P194 legislature
P212 ISBN_number
P225 latinName
P236 ISSN_number EISSN_number
P238 IATA_Location_Identifier
P239 ICAO_Location_Identifier
P243 OCLC_number
P276 location locationCity
P281 postalCode
P286 manager
P287 designer
P361 isPartOf
P417 patronSaint
P421 UTCOffset
P449 broadcastedBy
P466 tenant currentTenants
P473 areaCode
P488 chairman chairperson
P527 ingredient mainIngredients
P551 residence
P569 birthDate
P570 deathDate
P571 established foundingDate yearOfConstruction
P577 firstPublicationYear
P580 firstAired
P582 lastAired
P607 battles
P641 sportsOffered
P725 voice
P737 influencedBy
P740 foundationPlace
P749 parentCompany
P750 distributor
P800 notableWork
P822 mascot
P856 website
P1001 jurisdiction
P1029 crewMembers
P1037 director
P1056 product
P1075 rector
P1082 populationTotal
P1101 floorCount
P1104 numberOfPages
P1144 LCCN_number
P1149 LibraryofCongressClassification
P1159 CODEN_code
P1346 champions
P1449 nickname
P1451 motto
P1477 birthName
P1549 demonym
P1619 inaugurationDate
P1705 nativeName
P1813 abbreviation
P2044 elevationAboveTheSeaLevel elevationAboveTheSeaLevel_(in_metres) elevationAboveTheSeaLevel_(in_feet)
P2046 areaTotal floorArea
P2048 height
P2124 numberOfMembers
P2130 cost
P2196 numberOfStudents
P2873 timeInSpace
P5096 was_a_crew_member_of
P6375 address
"""
WEBNLG = {
    name.replace("_", " ") if name.startswith("was_") else name: line.split()[0]
    for line in _TABLE.strip().splitlines()
    for name in line.split()[1:]
}
