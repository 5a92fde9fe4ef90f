package conflict

import "strings"

// setOf returns the set of the words of a text.
func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// functionWords carry no matter: they are cues or nothing.
var functionWords = setOf(`
a an the this that these those such each every all any some no none both either neither few several many much more most less least fewer other others another
i you he she it we they me him her us them my your his its our their who whom whose which what whoever whichever whatever itself themselves himself herself yourself oneself one's own
and or but nor so yet if unless until till while whereas although though because since as than whether when whenever where wherever once after before
of to in on at by for from with without within into onto over under above below between among through throughout during against about across around near off out up down upon via per toward towards beyond except besides despite
be is are was were been being am do does did done have has had having must shall should may might can could will would ought cannot
not never only also then there here too very just even still already always normally usually generally typically otherwise however therefore thus hereby accordingly instead rather again
exactly precisely respectively namely regardless please let yes
n't don't doesn't isn't aren't mustn't needn't can't won't shouldn't wasn't weren't didn't hasn't haven't
etc eg ie e.g i.e respective said thereof therein thereafter hereof hereunder herein aforesaid
least most latest earliest same alone together own
strictly expressly explicitly fully entirely solely exclusively immediately promptly directly jointly personally mandatory obligatory compulsory permitted allowed forbidden prohibited required
`)

// prepositions open an adjunct of a clause.
var prepositions = setOf("to in on at by for from with without within into onto over under above below between among through throughout during against about across near off upon via per toward towards beyond inside outside alongside following regarding concerning including as using behind around based")

// determiners open a noun phrase.
var determiners = setOf("a an the this that these those each every all any some no both its their his her our your my such another either neither most many several")

// pronouns stand for the theme of the clause before.
var pronouns = setOf("it they this these those such them that he she both")

// adverbs may stand between the words of a verb phrase.
var adverbs = setOf("also then always never only normally usually generally typically again still already first immediately promptly strictly expressly explicitly fully directly jointly personally individually even further therefore thus however otherwise hereby automatically manually regularly not ever now just subsequently formally likewise thereafter in either simply solely exclusively properly please ordinarily routinely additionally currently physically separately at all times under no circumstances")
