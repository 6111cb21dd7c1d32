"""Usual short forms of given names."""

from __future__ import annotations

_TABLE = """
abigail abby|abraham abe|albert al bert|alexander alex alec sandy|alexandra alex sandra|alfred alf fred al|allan al
amanda mandy|andrew andy drew|angela angie|ann annie nancy|anthony tony|antonio tony|archibald archie|arnold arnie
arthur art|augustus gus|barbara barb|barnabas barney|bartholomew bart|benjamin ben benny|bernard bernie|beverly bev
bradley brad|calvin cal|cassandra cassie|catherine cathy kate katie cat|cecilia cissy|charles charlie chuck chas
charlotte lottie|chester chet|christina chris tina chrissy|christine chris chrissy|christopher chris kit
clifford cliff|clinton clint|constance connie|cornelius neil|curtis curt|cynthia cindy|daniel dan danny
david dave davy|deborah deb debbie|dennis denny|donald don donny|dorothy dot dottie dolly|douglas doug|edgar ed
edith edie|edmund ed ned eddie|edward ed eddie ted teddy ned|edwin ed eddie|eleanor ellie nell nora
elizabeth liz beth betty eliza lizzie bess libby|ellen nell nellie|emily em|ernest ernie|eugene gene|ezekiel zeke
florence flo florrie|frances fran fanny frankie|francis frank|francisco paco pancho|franklin frank
frederick fred freddy freddie|gabriel gabe|geoffrey geoff|george georgie|gerald gerry jerry|gerard gerry|gilbert gil
gordon gordy|gregory greg|gwendolyn gwen|harold hal harry|harriet hattie|helen nell nellie|henry harry hank hal
herbert herb bert|hubert hugh bert|irving irv|isaac ike|isabella bella|jacob jake|jacqueline jackie
james jim jimmy jamie|jane janey jenny|janet jan|jason jay|jeffrey jeff|jennifer jen jenny|jeremiah jerry|jeremy jerry
jerome jerry|jessica jess jessie|joan joanie|joanna jo|john jack johnny jon|jonathan jon jonny|joseph joe joey
josephine jo josie|joshua josh|josé pepe|judith judy|julia julie|julian jules|katherine kate kathy katie kit
kathleen kathy kate|kenneth ken kenny|kimberly kim|lawrence larry laurie|leonard len lenny leo|leonardo leo|leroy roy
leslie les|lewis lew lou|lillian lil lily|louis lou louie|louise lou|lucille lucy|luther lou|madeline maddie
malcolm mal|manuel manny|margaret maggie meg peggy marge margie madge greta|maria mary|martha mattie patty
martin marty|mary molly polly|matilda tilly|matthew matt|maurice morrie|maximilian max|megan meg|melvin mel
mercedes mercy|michael mike mick mickey micky|mildred millie|mitchell mitch|mohammed mo|montgomery monty|nathan nate
nathaniel nate nat|nicholas nick nicky|nicola nicky|norman norm|oliver ollie|oscar ozzy|pamela pam
patricia pat patty tricia trish|patrick pat paddy|percival percy|peter pete|philip phil pip|prudence prue|rachel rae
randolph randy|raymond ray|rebecca becky becca|reginald reg reggie|richard dick rick rich ricky
robert bob bobby rob robbie bert|roberta bobbie|roderick rod|rodney rod|roger rodge|roland rollie|ronald ron ronnie
rosemary rosie|rudolph rudy|rupert rup|russell russ|salvatore sal|samantha sam|samuel sam sammy|sarah sally sadie
sebastian seb|sidney sid|solomon sol|stanislaw stan|stanley stan|stephanie steph|stephen steve stevie
steven steve stevie|stuart stu|susan sue susie|susanna sue susie|suzanne sue|terence terry|theodore ted teddy theo
theresa terry tess|thomas tom tommy|timothy tim timmy|tobias toby|valerie val|veronica ronnie|victor vic
victoria vicky|vincent vince vinny|virginia ginny|vladimir vlad|wallace wally|walter walt wally|wilfred wilf
wilhelmina mina|william bill billy will willie liam|winifred winnie|winston winnie|woodrow woody|yevgeny zhenya
zachary zach zack
"""
# A short form -> the given names that it may stand for. All in lower case.
GIVEN_NAMES: dict[str, frozenset[str]] = {}
for _entry in _TABLE.replace("\n", "|").strip("|").split("|"):
    _given, *_short = _entry.split()
    for _form in _short:
        GIVEN_NAMES[_form] = GIVEN_NAMES.get(_form, frozenset()) | {_given}
