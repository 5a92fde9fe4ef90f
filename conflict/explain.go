package conflict

import "fmt"

// explain lists what spoke for and against a conflict.
func (p *pairing) explain() []string {
	var out []string
	for k := range p.verdicts {
		if e := &p.verdicts[k]; e.strength >= 0.15 {
			out = append(out, fmt.Sprintf("%s %.2f: %s (%s against %s)", kindNames[k], e.strength, e.note, e.a, e.b))
		}
	}
	for k, b := range p.blockers {
		if b >= 0.2 {
			out = append(out, fmt.Sprintf("against: %s %.2f", blockerNames[k], b))
		}
	}
	return append(out, fmt.Sprintf("matter %.2f: themes %.2f, acts %.2f, words %.2f and %.2f", p.topic(), p.theme, p.act, p.coverA, p.coverB))
}
