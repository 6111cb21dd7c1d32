"""Adjectives of countries and regions: *an Australian actor* names Australia."""

from __future__ import annotations

_TABLE = """
Afghanistan Afghan|Africa African|Albania Albanian|Algeria Algerian|Andorra Andorran|Angola Angolan
Arabia Arab Arabian|Argentina Argentine Argentinian|Armenia Armenian|Asia Asian|Australia Australian
Austria Austrian|Azerbaijan Azerbaijani|Bahrain Bahraini|Bangladesh Bangladeshi|Barbados Barbadian
Basque_Country Basque|Bavaria Bavarian|Belarus Belarusian|Belgium Belgian|Bolivia Bolivian|Bosnia Bosnian
Brazil Brazilian|Britain British|Bulgaria Bulgarian|Burma Burmese|Cambodia Cambodian|Cameroon Cameroonian
Canada Canadian|Catalonia Catalan|Chile Chilean|China Chinese|Colombia Colombian|Costa_Rica Costa_Rican
Croatia Croatian|Cuba Cuban|Cyprus Cypriot|Czech_Republic Czech|Czechoslovakia Czechoslovak|Denmark Danish
Ecuador Ecuadorian|Egypt Egyptian|England English|Estonia Estonian|Ethiopia Ethiopian|Europe European|Fiji Fijian
Finland Finnish|Flanders Flemish|France French|Galicia Galician|Gambia Gambian|Georgia Georgian|Germany German
Ghana Ghanaian|Greece Greek|Guinea Guinean|Haiti Haitian|Hawaii Hawaiian|Hong_Kong Hongkongese|Hungary Hungarian
Iceland Icelandic|India Indian|Indonesia Indonesian|Iran Iranian Persian|Iraq Iraqi|Ireland Irish|Israel Israeli
Italy Italian|Jamaica Jamaican|Japan Japanese|Jordan Jordanian|Kazakhstan Kazakh Kazakhstani|Kenya Kenyan
Korea Korean|Kosovo Kosovar|Kurdistan Kurdish|Kuwait Kuwaiti|Latvia Latvian|Lebanon Lebanese|Liberia Liberian
Libya Libyan|Lithuania Lithuanian|Macedonia Macedonian|Madagascar Malagasy|Malaysia Malaysian|Mali Malian
Malta Maltese|Mexico Mexican|Moldova Moldovan|Mongolia Mongolian|Montenegro Montenegrin|Morocco Moroccan
Mozambique Mozambican|Namibia Namibian|Nepal Nepalese Nepali|Netherlands Dutch|New_Zealand New_Zealander
Nicaragua Nicaraguan|Nigeria Nigerian|North_Korea North_Korean|Norway Norwegian|Pakistan Pakistani
Palestine Palestinian|Panama Panamanian|Paraguay Paraguayan|Peru Peruvian|Philippines Filipino Philippine
Poland Polish|Portugal Portuguese|Prussia Prussian|Puerto_Rico Puerto_Rican|Qatar Qatari|Quebec Québécois
Rhodesia Rhodesian|Romania Romanian|Russia Russian|Rwanda Rwandan|Samoa Samoan|Saudi_Arabia Saudi
Scandinavia Scandinavian|Scotland Scottish|Senegal Senegalese|Serbia Serbian|Sicily Sicilian|Singapore Singaporean
Slovakia Slovak|Slovenia Slovenian Slovene|Somalia Somali|South_Africa South_African|South_Korea South_Korean
Soviet_Union Soviet|Spain Spanish|Sri_Lanka Sri_Lankan|Sudan Sudanese|Sweden Swedish|Switzerland Swiss|Syria Syrian
Taiwan Taiwanese|Tanzania Tanzanian|Texas Texan|Thailand Thai|Tibet Tibetan|Tunisia Tunisian|Turkey Turkish
Uganda Ugandan|Ukraine Ukrainian|United_States American|Uruguay Uruguayan|Uzbekistan Uzbek|Venezuela Venezuelan
Vietnam Vietnamese|Wales Welsh|Yugoslavia Yugoslav|Zambia Zambian|Zimbabwe Zimbabwean
"""
# Words of an adjective, in lower case -> the place it names.
DEMONYMS: dict[tuple[str, ...], str] = {
    tuple(adjective.lower().split("_")): place.replace("_", " ")
    for entry in _TABLE.replace("\n", "|").strip("|").split("|")
    for place, *adjectives in [entry.split()]
    for adjective in adjectives
}
