package analysis

import (
	"strings"
	"testing"
)

func TestStem(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		// Inflections and derivations that Porter's stemmer joins.
		{"invoice", "invoices", true}, {"policy", "policies", true}, {"approve", "approval", true}, {"approve", "approving", true},
		{"reimburse", "reimbursement", true}, {"require", "requirement", true}, {"supplier", "suppliers", true}, {"employ", "employment", true},
		// Words that it joins wrongly.
		{"university", "universities", true}, {"university", "universe", false}, {"university", "universal", false}, {"universal", "universally", true},
		{"organization", "organ", false}, {"organization", "organizations", true}, {"organization", "organize", true}, {"organ", "organic", false}, {"organ", "organism", false},
		{"customer", "customs", false}, {"customer", "custom", false}, {"customer", "customers", true}, {"important", "import", false}, {"importance", "important", true},
		{"experience", "experiment", false}, {"author", "authority", false}, {"authorize", "authorization", true}, {"authorize", "author", false},
		{"internal", "international", false}, {"internal", "intern", false}, {"intern", "interns", true}, {"several", "severe", false}, {"severe", "severity", true},
		{"execute", "executive", false}, {"objective", "object", false}, {"subjective", "subject", false}, {"directive", "direct", false},
		{"emergency", "emerge", false}, {"position", "positive", false}, {"general", "generate", false}, {"news", "new", false}, {"past", "paste", false},
		{"department", "depart", false}, {"marketing", "market", false}, {"responsible", "response", false}, {"responsible", "responsibility", true},
		{"business", "busy", false}, {"police", "policy", false}, {"informal", "inform", false}, {"personal", "person", false}, {"numerous", "numerical", false},
		{"negligible", "negligence", false}, {"addition", "additive", false}, {"integrity", "integrate", false}, {"relative", "relate", false},
		{"competition", "competent", false}, {"electronic", "electron", false}, {"designate", "design", false}, {"contractor", "contraction", false},
		{"container", "contain", false}, {"minority", "minor", false}, {"majority", "major", false}, {"reservation", "reserve", false},
		// Words that it keeps apart.
		{"comply", "compliance", true}, {"compliance", "compliant", true}, {"pay", "paid", true}, {"pay", "payment", true}, {"pay", "payments", true}, {"retain", "retention", true},
		{"notify", "notification", true}, {"verify", "verification", true}, {"certify", "certification", true}, {"identify", "identification", true}, {"identify", "identity", false},
		{"specify", "specification", true}, {"submit", "submission", true}, {"decide", "decision", true}, {"sign", "signature", true}, {"permit", "permission", true},
		{"send", "sent", true}, {"write", "written", true}, {"take", "taken", true}, {"keep", "kept", true}, {"buy", "bought", true}, {"child", "children", true},
		{"criterion", "criteria", true}, {"analysis", "analyses", true}, {"analysis", "analyze", true}, {"urgent", "urgency", true}, {"safe", "safety", true},
		{"liable", "liability", true}, {"regulator", "regulatory", true}, {"recover", "recovery", true}, {"supervisor", "supervisory", true}, {"private", "privacy", true},
		// Spellings.
		{"organisation", "organization", true}, {"authorised", "authorized", true}, {"authorisation", "authorize", true}, {"analyse", "analyze", true}, {"analysed", "analysis", true},
		{"behaviour", "behavior", true}, {"labour", "labor", true}, {"centre", "center", true}, {"programme", "programs", true}, {"licence", "license", true},
		{"judgement", "judgment", true}, {"anaemia", "anemia", true}, {"travelling", "traveling", true}, {"fulfil", "fulfill", true}, {"defence", "defense", true},
		{"wise", "wize", false}, {"exercise", "exercize", false}, {"advise", "advize", false}, {"supervised", "supervise", true}, {"four", "for", false}, {"hour", "hor", false},
		// Short words and other scripts are their own stems.
		{"as", "a", false}, {"is", "i", false}, {"ελλαδα", "ελλαδας", false},
	} {
		a, b := stem(c.a), stem(c.b)
		if (a == b) != c.same {
			t.Errorf("stem(%q) = %q, stem(%q) = %q, want the same: %v", c.a, a, c.b, b, c.same)
		}
	}
}

func TestConflationTable(t *testing.T) {
	line := map[string]string{}
	for _, half := range []string{apart, alike} {
		for l := range strings.Lines(half) {
			words := strings.Fields(l)
			for _, w := range words {
				if other, twice := line[w]; twice {
					t.Errorf("%q stands in two lines, those of %q and %q", w, other, words[0])
				}
				line[w] = words[0]
				if american(w) != w {
					t.Errorf("%q is British, so its entry is never looked up", w)
				}
				if stopWords[w] {
					t.Errorf("%q is a stop word, so its entry is never looked up", w)
				}
			}
		}
	}
	// A line that changes nothing is noise: some other word has the stem.
	byPorter := map[string][]string{}
	for w := range line {
		byPorter[porter(w)] = append(byPorter[porter(w)], w)
	}
	for l := range strings.Lines(alike) {
		words := strings.Fields(l)
		changes := false
		for i, w := range words {
			changes = changes || i > 0 && porter(w) != porter(words[0])
		}
		if len(words) > 0 && !changes {
			t.Errorf("the line of %q changes nothing", words[0])
		}
	}
}

func TestNegationsAreWords(t *testing.T) {
	a := New()
	for word := range negations {
		tokens := a.Analyze("they " + word + " do")
		if len(tokens) != 3 || !tokens[1].Negation {
			t.Errorf("Analyze marks %q as %+v, want a negation", word, tokens)
		}
	}
}
