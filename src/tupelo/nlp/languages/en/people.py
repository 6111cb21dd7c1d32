"""Words for people: frequent English given names by gender, titles, and nouns for persons."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

MALE_NAMES = word_set(
    "adam alan albert alexander alfred andrew anthony antonio arthur benjamin bill bob brian bruce carl carlos "
    "charles chris christopher daniel david dennis donald douglas edward eric ernest francis frank franz fred "
    "frederick gary george gerald giovanni gordon greg gregory harold harry henry howard hugh isaac jack jacob "
    "james jason jean jeff jeffrey jerry jim joe john jonathan jose joseph joshua juan karl keith kenneth kevin "
    "larry lawrence leo leonard louis luis luke mark martin matthew max michael mike mohammed muhammad nathan "
    "nicholas oliver oscar patrick paul pedro peter philip pierre ralph raymond richard robert roger ronald roy "
    "russell ryan samuel scott sean simon stanley stephen steve steven terry theodore thomas tim timothy tom "
    "victor vincent vladimir walter wayne wilhelm will william winston"
)
FEMALE_NAMES = word_set(
    "agnes alice amanda amy andrea angela ann anna anne barbara beatrice betty brenda caroline catherine "
    "charlotte christina christine claire clara cynthia deborah diana diane donna doris dorothy edith elizabeth "
    "ellen emily emma eva evelyn florence frances gloria grace hannah harriet heather helen ida irene isabel jane "
    "janet jennifer jessica joan josephine joyce judith judy julia julie karen kate katherine kathleen laura "
    "linda lisa louise lucy margaret maria marie marilyn martha mary melissa michelle mildred nancy nicole olivia "
    "pamela patricia rachel rebecca rosa rose ruth sandra sara sarah sharon shirley sophia sophie stephanie susan "
    "teresa theresa victoria virginia wendy"
)
KIN = word_set(
    "brother sister son daughter wife husband father mother cousin nephew niece uncle aunt grandson granddaughter "
    "grandfather grandmother widow widower sibling twin stepson stepdaughter"
)
# Nouns for unnamed people that a pronoun may refer to.
PERSON_NOUNS = word_set(
    "actor actress anyone applicant artist assistant attorney aunt author baby bishop boss boy boyfriend brother "
    "candidate captain chairman chief child claimant coach colleague colonel cousin dad daughter defendant "
    "detective director doctor driver editor emperor employee engineer everybody everyone farmer father founder "
    "friend general gentleman girl girlfriend governor grandfather grandma grandmother grandpa grandson guard "
    "guest guy host husband inventor journalist judge justice kid king lady lawyer leader man manager master "
    "mayor member merchant minister mom monk mother mum neighbor neighbour nephew niece nurse officer one "
    "opponent owner painter parent partner patient person pilot plaintiff player poet policeman pope president "
    "priest prince princess producer professor queen reporter researcher scientist secretary senator sergeant "
    "servant singer sister soldier somebody someone son speaker stranger student suspect teacher uncle victim "
    "wife witness woman worker writer"
)
# Nouns whose relative clauses begin with "who".
WHO_NOUNS = word_set(
    "man woman boy girl child person officer king queen president minister director actor actress writer "
    "author doctor nurse player singer teacher student professor lawyer judge manager chairman leader general "
    "soldier scientist artist father mother son daughter brother sister wife husband analyst spokesman "
    "spokeswoman executive official critic investor economist governor senator mayor bishop priest prince "
    "princess engineer composer poet historian driver coach captain employee worker farmer villager founder "
    "owner member biographer grandmother grandfather uncle aunt nephew niece commander attorney researcher "
    "reviewer resident citizen candidate champion parent physician journalist editor painter architect "
    "producer guitarist drummer philosopher chief deputy secretary ambassador emperor duke earl pope saint"
)
# Groups of people: neither "who" nor "what".
ORGANIZATION_NOUNS = word_set(
    "company group team council government parliament court army party club committee agency firm board "
    "commission bank union police force crew band nation administration academy school university "
    "division industry concern maker corporation association organization department office ministry "
    "country city town congress senate house"
)
