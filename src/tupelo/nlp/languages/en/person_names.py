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
# Given names beside the frequent ones of `people`, whose gender nobody asks for.
OTHER_GIVEN_NAMES = word_set(
    "aaron abdul abigail abraham ada adele adolf adrian ahmed aidan aiden akira alain alberto alec alejandro "
    "aleksandr alessandro alexandra alexei alexis alfonso alfredo ali alicia alison allison alma alvin amelia "
    "anastasia anders andre andreas andrei angelina angelo anita annette annie antoine arlene armando arnold "
    "arturo astrid audrey aung barack barry bart beatrix ben bernard bernardo bernie bertha bessie beth bethany "
    "bobby boris brad brandon brendan brett bridget brigitte bryan caitlin caleb calvin camille candice carla "
    "carmen carol carole cecil cecilia celia cesar charlene charlie cheryl chloe chuck cindy claude claudia "
    "clement clifford clint clive colin connie conrad constance corey cornelius craig cristina crystal curtis "
    "cyril daisy damian damien dan danielle danny daphne darlene darren dave debbie debra denise derek dexter "
    "diego dieter dimitri dmitri dolores dominic dominique duncan dwight edgar edmund eduardo edwin eileen elaine "
    "eleanor elena elias elijah elisabeth ella ellie elliot eloise elsa elsie elvis emilia emilio emmanuel "
    "enrique eric erica erik erika erin ernesto erwin estelle esther ethan ethel eugene eunice evan fabio fatima "
    "felicia felix fernando fiona flora floyd francesca francesco francisco francois franklin fritz gabriel "
    "gabriela gareth gavin gemma geoffrey georges gerard gerhard gertrude gilbert gina giorgio giuseppe gladys "
    "glenn graham greta guillermo gunther gustav gwendolyn hans harvey hassan hazel hector heidi heinrich helena "
    "helmut henri herbert herman hilary hillary hiroshi horace horst hubert hugo humphrey ian ibrahim igor imran "
    "inga ingrid irving isabella isabelle ismail ivan jackie jaime jake jamal jamie janice jared jasmine javier "
    "jeanette jeanne jenna jenny jeremy jerome jesse jill jimmy joachim joanna joanne joaquin jocelyn jodie joel "
    "johan johann johanna johannes johnny jon jorge josh josie juanita julian juliana juliet julio julius jurgen "
    "justin karin karla katarina kathryn kathy katie katrina kay kelsey ken kerry kim kirsten klaus konrad "
    "kristen kristin kurt kyle lars lauren laurence laurie leah lena leon leonardo leopold leroy leslie lewis "
    "liam liliana lillian lily lionel lloyd lois lorenzo loretta lorraine lou louisa luca lucas lucia luciano "
    "lucille luigi lydia lyndon mabel madeleine madeline mae maggie malcolm manfred manuel marc marcel marcia "
    "marco marcos marcus margarita margot marian marianne mario marion marjorie marlene marsha marvin mathilde "
    "matilda matt maureen maurice mauricio maxine megan melanie melinda melvin mercedes meredith miguel mikhail "
    "milton mindy minnie miranda miriam mitchell mohamed mohammad moira molly monica monique muriel myra myrtle "
    "nadia naomi natalia natalie natasha neil nellie nelson nick nicola nicolas nigel nikita nikolai nina noah "
    "noel nora norma norman octavio olaf olga omar orlando oswald otto pablo paige paolo pascal paula pauline "
    "peggy penny percy pete phil philippe phoebe phyllis priscilla rafael ralph ramon randy raul ravi regina "
    "reginald renee rhonda ricardo rick ricky rita rob roberta roberto rodney rodrigo roland rolf ron ronnie "
    "rosalind rosemary rosie ross roxanne ruben rudolf rudolph rufus rupert ryan sabrina sadie sally salvador sam "
    "samantha sanjay santiago saul sebastian selma serena sergei sergio seth shane shannon shaun sheila shelley "
    "sheryl sidney sigmund silvia simone sonia spencer stacy stefan stella stewart stuart sue susanna susanne "
    "suzanne sven sybil sylvia takashi tamara tanya tara ted terence teri thelma tiffany tina tobias todd tommy "
    "toni tony tracey tracy travis trevor tristan trudy tyler ulrich umberto ursula valerie vanessa vera vernon "
    "veronica vicki vicky vikram viktor vivian vivienne wallace wanda warren wesley wilbur wilfred willard willie "
    "winifred wolfgang xavier yasmin yolanda yuri yusuf yves yvette yvonne zachary zoe"
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
