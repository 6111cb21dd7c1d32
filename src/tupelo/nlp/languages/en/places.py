"""Names that one country, union or city usually has in one text."""

from __future__ import annotations

import re

_TABLE = """
United States|United States of America|US|USA|America
United Kingdom|UK|Great Britain|Britain|United Kingdom of Great Britain and Northern Ireland
European Union|EU
United Nations|UN|United Nations Organization
Soviet Union|USSR|Union of Soviet Socialist Republics
Russia|Russian Federation
China|People's Republic of China|PRC|mainland China
Taiwan|Republic of China|ROC
Netherlands|Holland
Germany|Federal Republic of Germany
East Germany|German Democratic Republic|GDR
West Germany|FRG
South Korea|Republic of Korea|ROK
North Korea|Democratic People's Republic of Korea|DPRK
Czech Republic|Czechia
Ivory Coast|Côte d'Ivoire
East Timor|Timor-Leste
Cape Verde|Cabo Verde
Eswatini|Swaziland
North Macedonia|Republic of Macedonia|Macedonia
Bosnia and Herzegovina|Bosnia|Bosnia-Herzegovina
Democratic Republic of the Congo|DRC|DR Congo|Congo-Kinshasa
Republic of the Congo|Congo-Brazzaville
United Arab Emirates|UAE
Myanmar|Burma
Iran|Islamic Republic of Iran
Ireland|Republic of Ireland
Trinidad and Tobago|Trinidad & Tobago
Washington, D.C.|Washington DC|District of Columbia|D.C.
New York City|NYC|City of New York
Los Angeles|LA
Mumbai|Bombay
Kolkata|Calcutta
Chennai|Madras
Beijing|Peking
Kyiv|Kiev
Ho Chi Minh City|Saigon
Yangon|Rangoon
Vatican City|Vatican|Holy See
Macau|Macao
British Columbia|B.C.
"""
_NOT_LETTERS = re.compile(r"[^\w\s]+")
_SPACES = re.compile(r"\s+")


def place_key(name: str) -> str:
    """A name without case, dots and other marks: *U.S.* and *US* have one key.

    >>> place_key("U.S."), place_key("Bosnia-Herzegovina")
    ('us', 'bosnia herzegovina')
    """
    spaced = name.replace("-", " ").replace("–", " ").casefold()
    return _SPACES.sub(" ", _NOT_LETTERS.sub("", spaced)).strip()


# The key of each name -> the first name of its line.
USUAL_NAMES: dict[str, str] = {
    place_key(name): names[0] for line in _TABLE.strip().splitlines() for names in [line.split("|")] for name in names
}
