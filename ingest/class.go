package ingest

import (
	"regexp"
	"slices"
	"strings"

	"waymark/store"
)

// The class of a rule whose author gave none follows from the words of its text.
// A definition, an exception or a step of a procedure is known by its form; what
// is left is told by the first deontic word of the main clause: "must" makes an
// obligation, "must not" a prohibition, "may" a permission, "should" a
// recommendation. Conditions before the main clause and reservations after it
// ("unless …", "except …") do not count. A text without any such word is an
// obligation: companies write what is to be done in the present tense.
//
// Of 133 sentences of the public corpora that were not looked at while the
// patterns were made, 122 get the class that a person gave them, .917
// (testdata/classes.jsonl, half "test").

// DeriveClass returns the class of a rule from its text.
func DeriveClass(text string) store.Class {
	main := mainClause(text)
	if main.step {
		return store.ClassProcedure
	}
	for _, form := range classForms {
		if hasAny(main.text, form.words) && form.pattern.MatchString(main.text) && (form.not == nil || !form.not.MatchString(main.text)) {
			if form.class == store.ClassProcedure && standing.MatchString(main.text) {
				continue
			}
			return form.class
		}
	}
	best, at := store.ClassObligation, len(main.text)
	for _, modal := range classModals {
		if !hasAny(main.text, modal.words) {
			continue
		}
		if found := modal.pattern.FindStringIndex(main.text); found != nil && found[0] < at {
			best, at = modal.class, found[0]
		}
	}
	if at == len(main.text) && main.after && narrated.MatchString(main.text) {
		return store.ClassProcedure
	}
	return best
}

// maxClassText is how much of a text is looked at, in bytes: what a rule is stands
// in its first sentences.
const maxClassText = 800

// hasAny tells whether one of the words stands in a text. It costs a hundredth of
// what a pattern costs that does not match.
func hasAny(text string, words []string) bool {
	return words == nil || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// clause is the main clause of a text in lower case.
type clause struct {
	text  string
	after bool // a clause before it says after or in order to what it happens
	step  bool // the text says that it is a step
}

var (
	classStep     = regexp.MustCompile(`^(?:step|phase) [\divx]+\b`)
	classLabel    = regexp.MustCompile(`^(?:\(?[a-z0-9]{1,4}[.)]\s+|[-*•]\s+|[a-z][\w /-]{2,40}:\s+|[a-z]\w+(?: [\w/-]+){0,3}\.\s+)`)
	classHow      = regexp.MustCompile(`^to\s[^,]*, (?:you|we) (?:can|may|will|need)\b`)
	classFront    = regexp.MustCompile(`^(?:if|when|whenever|where|wherever|once|after|before|upon|unless|until|except|although|while|in the event|in case|in respect of|in determining|in order to|to|for|with|during|by|from|under|subject to|as|in)\s[^,;]*(?:\([^)]*\)[^,;]*)*,\s*`)
	classAfter    = regexp.MustCompile(`^(?:once|after|when|upon|to|if)\b`)
	classTail     = regexp.MustCompile(`[,;]?\s*\b(?:unless|except (?:for|as|where|in|that|when|to)|provided that|so that|in order to|because|as long as)\b.*$`)
	classSentence = regexp.MustCompile(`[.!;]\s`)
	classSpace    = regexp.MustCompile(`\s+`)
	classQuotes   = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "\u200e", "", "‑", "-")
)

// mainClause finds the clause of the first sentence that says what the rule is.
func mainClause(text string) clause {
	if len(text) > maxClassText {
		text = strings.ToValidUTF8(text[:maxClassText], "")
	}
	c := clause{text: classSpace.ReplaceAllString(strings.ToLower(classQuotes.Replace(clean(text))), " ")}
	c.step = classStep.MatchString(c.text) || classHow.MatchString(c.text)
	c.text = classLabel.ReplaceAllString(c.text, "")
	for range 3 {
		front := classFront.FindString(c.text)
		if front == "" || len(front) == len(c.text) {
			break
		}
		c.after = c.after || classAfter.MatchString(front)
		c.text = strings.TrimPrefix(c.text[len(front):], "then ")
	}
	if end := classSentence.FindStringIndex(c.text); end != nil && end[0] > 20 {
		c.text = c.text[:end[0]+1]
	}
	if tail := classTail.FindStringIndex(c.text); tail != nil && tail[0] > 12 {
		c.text = c.text[:tail[0]]
	}
	return c
}

// classForm is a form that tells a class whatever deontic words stand in it.
type classForm struct {
	class   store.Class
	words   []string // the pattern needs one of these; nil for none
	pattern *regexp.Regexp
	not     *regexp.Regexp // does not count when this is found too; may be nil
}

var classForms = []classForm{
	{store.ClassDefinition, []string{"mean", "denote", "stands for", "refer"}, regexp.MustCompile(`^[^,]*\b(?:means?|denotes?|stands for|refers? to)\b`),
		regexp.MustCompile(`\b(?:this|that|it|which|they|by|any) means?\b|\bmeans (?:of|must|should|shall|may|can|is|are)\b|\b(?:must|shall|should|please|may|can) [^,]*\b(?:means?|refers? to)\b|\bwill mean\b`)},
	{store.ClassDefinition, []string{"defined", "known as", "reference to", "taken to be", "deemed", "to be ", "meaning", "shall mean", "is when", "is where", "considered", ": a"}, regexp.MustCompile(`\b(?:is|are) (?:hereby )?(?:defined as|defined to|known as|a reference to|taken to be|deemed to|to be (?:read|construed|understood|interpreted) as)\b|\b(?:has|have) the meanings?\b|\bshall mean\b|\bis (?:when|where) (?:you|an?|the|someone)\b|\bconsidered (?:to be such|synonyms|an?\b)|: an? [a-z]+ (?:of|that|which)\b`), nil},
	{store.ClassException, []string{"apply", "exempt", "exclu", "excus", "disregarded", "relaxed", "waived", "not subject", "exception", "not comply"}, regexp.MustCompile(`\b(?:do|does|did|shall|will) (?:also )?not apply\b|\b(?:do|does)n't apply\b|\b(?:is|are|be) (?:hereby |also )?(?:exempt(?:ed)?|excluded|excused|disregarded|relaxed|waived|not subject to)\b|\bexempts?\b [^.]*\bfrom\b|\bexceptions? (?:to [^.]* )?(?:can|may) be (?:made|granted|allowed)\b|\bonly exceptions?\b|\bneed not comply\b`),
		regexp.MustCompile(`\b(?:that|which|who) (?:is|are) exempt\b.*\b(?:must|shall)\b|\b(?:must|should) (?:be|not be) (?:excluded|waived|excused)\b|\b(?:can|may) add\b`)},
	{store.ClassProcedure, nil, regexp.MustCompile(`^(?:please )?(?:click|go|open|select|choose|press|type|enter|fill|log ?in|sign ?in|navigate|scroll|copy|paste|download|upload|attach|submit|send|email|e-mail|message|contact|call|ask|reach out|raise|coordinate|add|create|run|install|visit|search|find|look|start|begin|proceed|move|allow|set|save|check|get|use the|complete the|follow|work with|refer|discontinue|notify|tell|return to|post)\b`), nil},
	{store.ClassProcedure, nil, regexp.MustCompile(`^steps? \w+\b|^(?:the )?(?:next|first|second|third|last|final) step\b|^the process (?:starts|begins|is as follows)\b|\bneeds? to (?:send|save|submit|forward|fill|click|open)\b`), nil},
}

// standing are words that make a duty out of what would be a step.
var standing = regexp.MustCompile(`\b(?:always|at all times|at least|no later than|within \d+|every|each (?:day|week|month|quarter|year)|annually|monthly|weekly|daily|quarterly|immediately)\b`)

// narrated is what somebody does, told in the present tense or with "will".
var narrated = regexp.MustCompile(`\bwill\b|^(?:the |an? |you |we |they )?[a-z/ '-]{0,60}\b[a-z]+(?:s|es)\b`)

// classModal are the words that tell a class by coming first.
type classModal struct {
	class   store.Class
	words   []string // the pattern needs one of these
	pattern *regexp.Regexp
}

var classModals = []classModal{
	{store.ClassProhibition, []string{"not", "never", "n't", "under no", "in no case", "prohibited", "forbidden", "banned", "unacceptable", "disallowed", "no ", "nobody", "only", "avoid", "without"}, regexp.MustCompile(`\b(?:must|shall|may|can|will) (?:not|never|under no circumstances|in no case)\b|\bcannot\b|\b(?:can|must|won|shan)'t\b|\bnever\b|^(?:please )?(?:do not|don't|avoid)\b|\b(?:is|are|be) (?:strictly |expressly )?(?:not (?:allowed|permitted|authori[sz]ed|acceptable)|prohibited|forbidden|banned|unacceptable|disallowed)\b|^no(?:body| one)?\b[^.]*\b(?:may|shall|must|can|will|is|are)\b|^only\b[^.]*\b(?:may|can|is|are|shall|must)\b|\b(?:may|can|must|shall) only\b|\bwithout (?:prior )?(?:approval|permission|consent) is\b|\bno longer (?:allowed|permitted)\b`)},
	{store.ClassObligation, []string{"must", "shall", "requir", "oblig", "mandatory", "responsible", "due", "expected", "to be", " to", "retained", "kept", "reviewed"}, regexp.MustCompile(`\b(?:must|shall)\b|\b(?:is|are|be|being) (?:required|obliged|obligated|mandatory|responsible|due|expected) ?(?:to|for|by)?\b|\b(?:is|are) to be\b|\b(?:has|have|needs?|ought) to\b|\b(?:is|are) (?:retained|kept|reviewed)\b|\bmandatory\b|\brequires?\b`)},
	{store.ClassRecommendation, []string{"should", "recommend", "encourage", "advis", "suggest", "prefer", "ideally", "practice", " to", "consider"}, regexp.MustCompile(`\bshould\b|\b(?:strongly |highly )?(?:recommend(?:s|ed)?|encourage(?:s|d)?|advis(?:e|es|ed|able)|suggest(?:s|ed)?|prefer(?:s|red|able|ably)?)\b|\bideally\b|\bbest practices?\b|\bgood practice\b|\b(?:it )?(?:might|may|is|would be) (?:be )?(?:more |most )?(?:appropriate|better|best|wise|helpful) to\b|^consider\b|^try to\b|^aim to\b`)},
	{store.ClassPermission, []string{"may", "can", "allowed", "permitted", "entitled", "eligible", "free", "welcome", "option", "authori", "able", "not", "n't", "no ", "discretion", "power", "right"}, regexp.MustCompile(`\bmay\b|\bcan\b|\b(?:is|are|be) (?:also )?(?:allowed|permitted|entitled|eligible|free|welcome|optional|authori[sz]ed|able)\b|\b(?:is|are|was) (?:typically |usually |generally )?not (?:required|needed|necessary|mandatory|obliged|expected)\b|\b(?:do|does)(?: not|n't) (?:need|have) (?:to|a)\b|\bneed(?:s)? not\b|\bno need\b|\bfeel free\b|\bat the (?:sole )?discretion\b|\bhas the (?:power|right|option)\b|\bhave the (?:power|right|option)\b|\boptional(?:ly)?\b|\bno (?:\w+ ){0,3}(?:is|are) (?:required|needed|necessary)\b`)},
}
