"""Names of people: frequent surnames, surnames that stand first, usual short forms of first names."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

FREQUENT_SURNAMES = word_set(
    "smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson "
    "anderson thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis "
    "robinson walker young allen king wright scott torres nguyen hill flores green adams nelson baker hall rivera "
    "campbell mitchell carter roberts gomez phillips evans turner diaz parker cruz edwards collins reyes stewart "
    "morris morales murphy cook rogers gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim "
    "cox ward richardson watson brooks chavez wood james bennett gray mendoza ruiz hughes price alvarez castillo "
    "sanders patel myers long ross foster jimenez powell jenkins perry russell sullivan bell coleman butler "
    "henderson barnes fisher vasquez simmons romero jordan patterson alexander hamilton graham reynolds griffin "
    "wallace west cole hayes bryant gibson ellis stevens murray ford marshall owens mcdonald harrison wells webb "
    "simpson porter hunter hicks crawford henry boyd mason kennedy warren dixon burns gordon shaw holmes rice "
    "robertson hunt black palmer mills grant knight ferguson rose stone dunn perkins spencer khan singh wang li "
    "zhang liu chen yang huang zhao wu zhou ivanov muller schmidt schneider fischer weber meyer wagner becker "
    "rossi russo silva santos davies cameron rahman brady fox nolan farrell byrne ryan walsh oconnor doyle "
    "mccarthy gallagher doherty lynch quinn clarke johnston reid maclean macdonald mackenzie mackay murdoch "
    "sinclair douglas bruce barrett barker fletcher chapman lloyd pearson ellison hawkins armstrong cunningham "
    "lawrence matthews elliott gardner payne pierce berry carroll duncan hudson andrews weaver greene lane riley "
    "ray george burke willis hart hansen jensen nielsen olsen larsen andersen pedersen hanson carlson johansson "
    "andersson nilsson karlsson eriksson larsson olsson persson svensson kumar sharma gupta shah verma mehta "
    "reddy nair das roy bose sen rao iyer joshi mishra yadav chaudhary ahmed ali hussain hossain islam iqbal "
    "malik sheikh syed chowdhury akhtar hassan hussein mohamed mohammed mahmoud ibrahim abdullah jung kang cho "
    "choi park yoon jang lim han shin seo kwon hwang ahn song tran pham le hoang phan vu tanaka suzuki sato "
    "takahashi watanabe ito yamamoto nakamura kobayashi kato yoshida yamada sasaki xu sun ma zhu hu guo gao lin "
    "luo zheng liang xie tang fernandez moreno munoz alonso navarro dominguez vazquez gil serrano blanco molina "
    "ortega delgado castro rubio marin vargas rojas herrera medina aguilar guerrero mendes ferreira pereira "
    "oliveira costa rodrigues martins sousa fernandes goncalves gomes lopes ribeiro carvalho almeida pinto alves "
    "dias souza lima barbosa rocha bernard dubois durand leroy moreau laurent lefebvre michel roux fournier "
    "girard bonnet dupont lambert fontaine hoffmann schulz koch bauer richter klein wolf schroder neumann schwarz "
    "zimmermann braun hartmann lange krause esposito bianchi romano colombo ricci marino greco bruno gallo conti "
    "giordano mancini lombardi moretti petrov sidorov smirnov kuznetsov popov vasiliev sokolov mikhailov novikov "
    "fedorov morozov volkov kowalski nowak wisniewski horvath novak svoboda dvorak nagy szabo toth kovacs "
    "papadopoulos popescu ionescu yilmaz kaya demir cohen levy katz friedman goldberg kaplan abraham osborne "
    "dawson bradley gilbert garrett little burton ramsey hopkins day carpenter fuller bishop montgomery harvey "
    "jacobs williamson howell curtis oliver franklin austin page parsons newman sutton warner frost bird hale "
    "sharp norton nash chambers potter goodwin"
)
# Chinese, Korean and Vietnamese family names.
LEADING_SURNAMES = word_set(
    "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo zheng liang xie tang mao "
    "deng xi jiang wen zeng peng kim park lee choi jung kang cho yoon jang lim moon roh rhee nguyen tran pham"
)
_NICKNAMES = """
alexander alex alec|andrew andy drew|anthony tony|arthur art|benjamin ben benny|charles charlie chuck
christopher chris|daniel dan danny|david dave davey|dennis denny|donald don donny|douglas doug
edward ed eddie ted ned|francis frank|frederick fred freddie|gerald gerry jerry|gregory greg|harold hal
henry harry hank|james jim jimmy jamie|jeffrey jeff|john johnny jack|jonathan jon|joseph joe joey|joshua josh
kenneth ken kenny|lawrence larry|leonard len lenny|louis lou|matthew matt|michael mike mick mickey
nathaniel nate|nicholas nick|patrick paddy|peter pete|philip phil|raymond ray|richard rick dick rich ricky
robert bob rob bobby robbie|ronald ron ronnie|samuel sam sammy|stephen steve|terence terry|theodore teddy
thomas tom tommy|timothy tim|victor vic|vincent vince|walter walt wally|william bill will billy willie
abigail abby|amanda mandy|barbara barb|catherine cathy kate katie|katherine kathy|christina tina|cynthia cindy
deborah debbie deb|dorothy dot|eleanor nell|elizabeth liz beth betty eliza lizzie|jacqueline jackie
jennifer jenny jen|jessica jess|judith judy|kimberly kim|margaret maggie peggy meg|nancy nan|pamela pam
patricia pat patty trish|rebecca becky|sandra sandy|stephanie steph|susan sue susie|victoria vicky
virginia ginny|abraham abe|archibald archie|bartholomew bart|bernard bernie|bradley brad|clifford cliff|clinton clint
elijah eli|ernest ernie|eugene gene|gabriel gabe|geoffrey geoff|gilbert gil|herbert herb|jacob jake|martin marty
melvin mel|mitchell mitch|norman norm|oliver ollie|randolph randy|reginald reggie reg|rudolph rudy|russell russ
sidney sid|stanley stan|stuart stu|zachary zach zack|angela angie|constance connie|florence flo|gwendolyn gwen
josephine josie|winifred winnie
"""
# A short form -> the first name in full.
FULL_FIRST_NAMES = {
    short: full
    for entry in _NICKNAMES.replace("\n", "|").strip("|").split("|")
    for full, *shorts in [entry.split()]
    for short in shorts
}
