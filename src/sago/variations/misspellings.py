"""Well-known misspellings of English words."""

from __future__ import annotations

_PAIRS = """
absence:absense acceptable:acceptible accessible:accessable accidentally:accidently accommodate:accomodate accommodation:accomodation
accomplish:acomplish accurate:acurate achieve:acheive achieved:acheived achievement:acheivement acquaintance:acquaintence acquire:aquire
acquired:aquired across:accross actually:actualy address:adress addressed:adressed advertisement:advertisment aggressive:agressive
allegiance:allegience amateur:amatuer analysis:analisis ancient:anceint animal:aminal animals:aminals annually:anually answer:anwser
apartment:appartment apparent:apparant apparently:apparantly appearance:appearence appropriate:apropriate approximately:aproximately
argument:arguement arrangement:arrangment assassination:assasination athlete:athelete attendance:attendence available:availible
average:avarage balloon:baloon bargain:bargin basically:basicly beautiful:beatiful because:becuase beginning:begining behaviour:behavoir
being:bieng believe:beleive believed:beleived beneficial:benificial bicycle:bycicle biscuit:biscut boundary:boundry breakfast:brekfast
brilliant:briliant building:bulding buildings:bulidings business:buisness businesses:buisnesses calendar:calender capital:captial
career:carrer carefully:carefuly caribbean:carribean category:catagory ceiling:cieling cemetery:cemetary certain:certian
certainly:certianly challenge:challange character:charachter characters:charachters chemical:chemcial children:childern
chocolate:choclate circumstances:circumstences colleague:collegue column:colum coming:comming commission:comission
commitment:committment committed:commited committee:commitee communicate:comunicate communication:comunication community:comunity
company:compnay comparison:comparision completely:completly concentrate:consentrate conscience:concience conscious:concious
consider:concider considered:concidered consistent:consistant continent:contenant controversial:contraversial convenient:convienient
correspondence:correspondance countries:countrys country:contry criticism:critisism curiosity:curiousity deceive:decieve
decision:descision definite:definate definitely:definately definition:defenition dependent:dependant describe:discribe
described:discribed desperate:desparate despite:dispite develop:develope development:developement difference:diffrence
different:diffrent difficult:dificult difficulty:dificulty dilemma:dilemna disappear:dissapear disappoint:dissapoint
discipline:disipline distance:distence during:durring easily:easely education:eduction efficient:efficent electricity:electricty
element:elemant embarrass:embarass emperor:emporer energy:enegry engineer:enginer enough:enought environment:enviroment
environmental:enviromental equipment:equiptment especially:expecially eventually:eventualy exaggerate:exagerate example:exemple
excellent:excelent except:exept exercise:exersise existence:existance expense:expence expensive:expencive experience:experiance
experienced:experianced explanation:explaination extremely:extremly familiar:familar family:famly fascinating:facinating
favourite:favorate finally:finaly foreign:foriegn forward:foward freight:frieght friend:freind friendly:freindly friends:freinds
fruit:friut function:funtion further:futher garage:garrage garden:gardin generally:generaly genius:genious gentleman:gentelman
government:goverment governments:goverments grammar:grammer grateful:greatful guarantee:garantee guard:gaurd guarded:gaurded
guidance:guidence happened:happend harass:harrass height:heighth heroes:heros history:histroy hospital:hopsital humorous:humerous
hungry:hungery hygiene:hygene hypocrisy:hypocracy immediate:imediate immediately:immediatly importance:importence important:importent
independence:independance independent:independant individual:indivdual industry:industy influence:infulence information:infromation
initial:inital inoculate:innoculate instead:insted intelligence:inteligence intelligent:inteligent interest:intrest interested:intrested
interesting:intresting interpret:interpet interrupt:interupt introduce:introduse jewellery:jewelery knowledge:knowlege language:langauge
languages:langauges leisure:liesure liaison:liason library:libary licence:lisence likely:likley literally:literaly
literature:litterature loneliness:lonelyness machine:machien magazine:magizine maintain:mantain maintenance:maintainance
maneuver:manuever manufacture:manafacture marriage:marrige material:materail mathematics:mathmatics measure:mesure measured:mesured
medicine:medecine medieval:medeival member:memeber members:memebers millennium:millenium miniature:minature mischievous:mischievious
misspell:mispell mountain:moutain mountains:moutains movement:movment muscle:mussle museum:musuem national:nationel naturally:naturaly
necessarily:neccessarily necessary:neccessary neighbor:nieghbor neighborhood:nieghborhood neighbors:nieghbors neighbour:nieghbour
neighbourhood:nieghbourhood noticeable:noticable obstacle:obsticle occasion:occassion occasionally:occasionaly occur:ocur
occurred:occured occurrence:occurence occurring:occuring official:offical officially:officialy opinion:opinon opponent:oponent
opportunity:oppurtunity opposite:oposite ordinary:ordinery organization:orginization original:orignal outrageous:outragous
parallel:paralell parliament:parliment particular:particuler particularly:particulary pastime:pasttime peculiar:peculier people:poeple
perceive:percieve permanent:permanant perseverance:perserverance personnel:personell persuade:pursuade phenomenon:phenomenom
philosophy:philosphy physical:phisical physics:phisics picture:pitcure piece:peice pieces:peices pleasant:plesant poison:posion
political:politcal popular:populer population:populaton position:postion possess:posess possession:posession possible:possable
possibly:possibley potato:potatoe potatoes:potatos preferred:prefered prejudice:predjudice presence:presense pressure:presure
prevalent:prevelant primarily:primarly principle:principel privilege:priviledge probably:probaly problem:probelm problems:probelms
process:proccess produce:produse profession:proffesion professional:proffesional professor:proffessor prominent:promanent
pronunciation:pronounciation property:propery protein:protien proteins:protiens psychology:pyschology publicly:publically
purchase:purchse purpose:porpose pursue:persue quantity:quanity quarantine:quarentine question:quesiton questionnaire:questionaire
questions:quesitons realize:relize really:realy receipt:reciept receive:recieve received:recieved receives:recieves receiving:recieving
recipe:recipie recognize:reconize recommend:reccomend recommended:reccomended reference:referance referred:refered region:regoin
religion:religon religious:religous remember:rember repetition:repitition representative:representitive require:requier research:reserch
resistance:resistence resource:resorce resources:resorces responsibility:responsability responsible:responsable restaurant:restaraunt
restaurants:restaraunts rhythm:rythm ridiculous:rediculous safety:saftey sandwich:sandwhich sandwiches:sandwhiches satellite:satelite
schedule:scedule school:shcool science:sience scientific:scientifc scientist:sceintist scientists:sceintists scissors:sissors
secretary:secratary seize:sieze sentence:sentance separate:seperate separated:seperated separately:seperately sergeant:sergent
shepherd:sheperd shining:shinning shoulder:sholder siege:seige significant:signifcant similar:similiar similarly:similiarly
simultaneously:simultanously sincerely:sincerly situation:sitation skilful:skillfull social:socail society:soceity soldiers:soliders
somebody:sombody someone:somone something:somthing sometimes:sometiems source:sorce speech:speach spiritual:spirtual stomach:stomache
strength:strenght student:studant students:studants studying:studing subject:subjet subtle:suttle succeed:succede success:sucess
successful:succesful successfully:succesfully sufficient:suficient suggest:sugest suggested:sugested supermarket:supermaket
supersede:supercede suppose:supose surprise:suprise surprised:suprised swimming:swiming symbol:symbal system:sytem systems:sytems
teacher:techer technology:technolgy temperature:temperture tendency:tendancy their:thier themselves:themselfs theory:theroy
thorough:thurough threshold:threshhold through:throught together:togehter tomato:tomatoe tomatoes:tomatos tomorrow:tommorow
tongue:tounge towards:towrads tradition:tradtion traditional:tradtional tragedy:tradgedy transferred:transfered truly:truely
twelfth:twelth typical:typcial typically:typcially tyranny:tyrany umbrella:umberella unfortunately:unfortunatly unique:unqiue
university:univeristy unusual:unusal usage:useage useful:usefull usually:usualy vacuum:vaccum valuable:valuble variety:vareity
vegetable:vegtable vegetables:vegtables vehicle:vehical vehicles:vehicals version:verison veterinarian:vetinarian vicious:viscious
village:villiage villages:villiages violence:voilence visible:visable weight:wieght weird:wierd welcome:wellcome welfare:wellfare
which:wich wholly:wholely withdrawal:withdrawl woman:womam wonderful:wonderfull writers:writters writing:writting written:writen
yacht:yatch yield:yeild yielded:yeilded
"""

MISSPELLINGS: dict[str, str] = {word: wrong for word, _, wrong in (pair.partition(":") for pair in _PAIRS.split())}
"""Word -> misspelling that many people write, small letters; none of them is a word of its own."""
