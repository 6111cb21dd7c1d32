"""Adjectives and people of countries, regions and cities: *an Australian actor* and *Australians* name Australia."""

from __future__ import annotations

from collections.abc import Iterator

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
# Words for people that are no adjectives, smaller places, former ones, and further places of an adjective.
_FURTHER = """
Abkhazia Abkhaz Abkhazian|Alaska Alaskan|Alberta Albertan|Alsace Alsatian|Americas American|Andalusia Andalusian
Antarctica Antarctic|Antigua Antiguan|Aragon Aragonese|Arizona Arizonan|Arkansas Arkansan|Assam Assamese
Assyria Assyrian|Asturias Asturian|Athens Athenian|Australia Aussie|Azores Azorean|Babylon Babylonian|Bahamas Bahamian
Bali Balinese|Belize Belizean|Bengal Bengali|Benin Beninese|Berlin Berliner|Bermuda Bermudian|Bhutan Bhutanese
Bohemia Bohemian Czech|Bosnia_and_Herzegovina Bosnian Herzegovinian|Boston Bostonian
Botswana Botswanan Motswana Batswana|Britain Briton Brit|British_Columbia British_Columbian|British_Empire British
Brittany Breton|Brunei Bruneian|Burgundy Burgundian|Burkina_Faso Burkinabé Burkinabe|Burundi Burundian
Byzantine_Empire Byzantine|Byzantium Byzantine|California Californian|Canton Cantonese|Cape_Verde Cape_Verdean
Carthage Carthaginian|Castile Castilian|Catalonia Catalonian|Cayman_Islands Caymanian
Central_African_Republic Central_African|Central_America Central_American|Chad Chadian|Chechnya Chechen
Chicago Chicagoan|Colorado Coloradan|Comoros Comorian|Congo Congolese|Corinth Corinthian
Cornwall Cornish Cornishman|Corsica Corsican|Crete Cretan|Crimea Crimean|Croatia Croat|Curaçao Curaçaoan|Czechia Czech
Czechoslovakia Czechoslovakian|Dagestan Dagestani|Dalmatia Dalmatian|Democratic_Republic_of_the_Congo Congolese
Denmark Dane|Djibouti Djiboutian|Dominica Dominican|Dominican_Republic Dominican|Dublin Dubliner|Dutch_Republic Dutch
East_Africa East_African|East_Germany East_German|East_Timor East_Timorese Timorese|Edinburgh Edinburgher
El_Salvador Salvadoran Salvadorian|England Englishman Englishwoman|Equatorial_Guinea Equatoguinean|Eritrea Eritrean
Eswatini Swazi|Ethiopia Abyssinian|Faroe_Islands Faroese|Finland Finn|Flanders Fleming|Florence Florentine
Florida Floridian|France Frenchman Frenchwoman|Frisia Frisian|Gabon Gabonese|Gascony Gascon
Gaza Gazan|Genoa Genoese|German_Empire German|Gibraltar Gibraltarian|Glasgow Glaswegian|Goa Goan
Great_Britain British Briton Brit|Greece Hellenic|Greenland Greenlandic Greenlander|Grenada Grenadian|Guam Guamanian
Guangdong Cantonese|Guatemala Guatemalan|Guinea-Bissau Bissau-Guinean|Gujarat Gujarati|Guyana Guyanese
Hanover Hanoverian|Hesse Hessian|Holland Dutch Dutchman|Honduras Honduran
Hong_Kong Hong_Konger|Iberia Iberian|Ibiza Ibizan|Iceland Icelander|Idaho Idahoan|Illinois Illinoisan|Indiana Hoosier
Ionia Ionian|Iowa Iowan|Ireland Irishman Irishwoman|Isle_of_Man Manx|Ivory_Coast Ivorian|Java Javanese|Judea Judean
Kansas Kansan|Kashmir Kashmiri|Kentucky Kentuckian|Kerala Keralite|Kiribati I-Kiribati|Kosovo Kosovan|Kurdistan Kurd
Kyrgyzstan Kyrgyz Kyrgyzstani|Laos Lao Laotian|Latin_America Latin_American|Lesotho Basotho Mosotho
Liechtenstein Liechtensteiner|Liguria Ligurian|Liverpool Liverpudlian|Livonia Livonian|Lombardy Lombard
London Londoner|Los_Angeles Angeleno|Louisiana Louisianan|Luxembourg Luxembourgish Luxembourger|Macau Macanese
Macedon Macedonian|Madeira Madeiran|Madrid Madrilenian|Maine Mainer|Malawi Malawian|Malaya Malayan|Maldives Maldivian
Manchester Mancunian|Manchuria Manchurian|Manitoba Manitoban|Marshall_Islands Marshallese|Maryland Marylander
Mauritania Mauritanian|Mauritius Mauritian|Melanesia Melanesian|Melbourne Melburnian Melbournian
Mesopotamia Mesopotamian|Michigan Michigander|Micronesia Micronesian|Milan Milanese|Minnesota Minnesotan
Mississippi Mississippian|Missouri Missourian|Monaco Monegasque Monégasque Monacan|Mongolia Mongol|Montana Montanan
Montreal Montrealer|Montserrat Montserratian|Moravia Moravian|Moscow Muscovite|Myanmar Burmese|Naples Neapolitan
Nauru Nauruan|Navarre Navarrese|Nazi_Germany German|Nebraska Nebraskan|Netherlands Dutchman Dutchwoman|Nevada Nevadan
New_England New_Englander|New_Jersey New_Jerseyan|New_Mexico New_Mexican|New_South_Wales New_South_Welshman
New_York New_Yorker|New_York_City New_Yorker|Newfoundland Newfoundlander|Nice Niçois|Niger Nigerien|Normandy Norman
North_America North_American|North_Carolina North_Carolinian|North_Dakota North_Dakotan|North_Korea Korean
North_Macedonia Macedonian|North_Vietnam North_Vietnamese|Northern_Ireland Northern_Irish
Nova_Scotia Nova_Scotian|Oceania Oceanian|Ohio Ohioan|Okinawa Okinawan|Oklahoma Oklahoman|Oman Omani|Ontario Ontarian
Oregon Oregonian|Ossetia Ossetian|Ottoman_Empire Ottoman|Pacific_Islands Pacific_Islander|Palau Palauan|Papua Papuan
Papua_New_Guinea Papua_New_Guinean Papuan|Paris Parisian|Parthia Parthian|Patagonia Patagonian
Pennsylvania Pennsylvanian|People's_Republic_of_China Chinese|Persia Persian|Philadelphia Philadelphian
Philippines Filipina|Phoenicia Phoenician|Poland Pole|Polynesia Polynesian|Pomerania Pomeranian|Provence Provençal
Punjab Punjabi|Quebec Quebecer Quebecker Québecois Québécoise|Queensland Queenslander|Republic_of_China Chinese
Republic_of_Ireland Irish|Republic_of_Venice Venetian|Republic_of_the_Congo Congolese|Réunion Réunionese
Rhineland Rhenish Rhinelander|Rhode_Island Rhode_Islander|Roman_Empire Roman|Roman_Republic Roman|Romandy Romand
Rome Roman|Russian_Empire Russian|Saint_Lucia Saint_Lucian|Samaria Samaritan|San_Francisco San_Franciscan
San_Marino Sammarinese|São_Tomé_and_Príncipe São_Toméan|Sarajevo Sarajevan|Sardinia Sardinian
Saskatchewan Saskatchewanian|Saudi_Arabia Saudi_Arabian|Savoy Savoyard|Saxony Saxon
Scotland Scot Scotsman Scotswoman|Serbia Serb|Seville Sevillian|Seychelles Seychellois|Shanghai Shanghainese
Siberia Siberian|Sierra_Leone Sierra_Leonean|Silesia Silesian|Sindh Sindhi|Solomon_Islands Solomon_Islander
South_America South_American|South_Australia South_Australian|South_Carolina South_Carolinian
South_Dakota South_Dakotan|South_Korea Korean|South_Sudan South_Sudanese|South_Vietnam South_Vietnamese|Spain Spaniard
Sparta Spartan|Sumatra Sumatran|Sumer Sumerian|Suriname Surinamese|Swabia Swabian|Swaziland Swazi|Sweden Swede
Sydney Sydneysider|Tahiti Tahitian|Tajikistan Tajik Tajikistani|Tasmania Tasmanian|Tatarstan Tatar
Tennessee Tennessean|Thebes Theban|Thessaly Thessalian|Thrace Thracian|Thuringia Thuringian|Togo Togolese|Tonga Tongan
Toronto Torontonian|Transylvania Transylvanian|Trinidad Trinidadian|Trinidad_and_Tobago Trinidadian|Tripoli Tripolitan
Troy Trojan|Turkey Turk|Turkmenistan Turkmen|Tuscany Tuscan|Tuvalu Tuvaluan|Tyrol Tyrolean Tyrolese|Ulster Ulsterman
Umbria Umbrian|United_Arab_Emirates Emirati|United_Kingdom British Briton Brit|Utah Utahn
Valencia Valencian|Vanuatu Ni-Vanuatu|Venice Venetian|Vermont Vermonter|Vienna Viennese|Virginia Virginian
Wales Welshman Welshwoman|Wallachia Wallachian|Wallonia Walloon|Warsaw Varsovian|Washington Washingtonian
West_Africa West_African|West_Germany West_German German|West_Indies West_Indian|West_Virginia West_Virginian
Western_Australia Western_Australian|Wisconsin Wisconsinite|Wyoming Wyomingite
Yemen Yemeni Yemenite|Yugoslavia Yugoslavian|Zaire Zairian|Zanzibar Zanzibari
"""
_SAME_PLURAL = ("ese", "ish", "french", "dutch", "swiss", "ois", "manx", "kyrgyz")


def _entries(table: str) -> Iterator[tuple[str, str]]:
    """Each adjective with its place."""
    for entry in table.replace("\n", "|").strip("|").split("|"):
        place, *adjectives = (name.replace("_", " ") for name in entry.split())
        yield from ((adjective.lower(), place) for adjective in adjectives)


def _forms(word: str) -> tuple[str, ...]:
    """An adjective or a person, and several people."""
    if word.endswith(("man", "woman")) and not word.endswith(("german", "roman", "norman", "ottoman")):
        return word, word[:-2] + "en"
    return (word,) if word.endswith(_SAME_PLURAL) else (word, word + "s")


def _places() -> dict[str, tuple[str, ...]]:
    places: dict[str, list[str]] = {}
    for word, place in (*_entries(_TABLE), *_entries(_FURTHER)):
        for form in _forms(word):
            places.setdefault(form, []).append(place)
    return {form: tuple(found) for form, found in places.items()}


# Words of an adjective, in lower case -> the place it names. The fact models were trained with these.
DEMONYMS: dict[tuple[str, ...], str] = {tuple(word.split()): place for word, place in _entries(_TABLE)}
# An adjective, a person or people, in lower case -> the places that it may name.
PLACES_OF: dict[str, tuple[str, ...]] = _places()
