package conflict

import "strings"

// agentiveEndings end the names of people by what they do.
var agentiveEndings = [...]string{"er", "or", "ist", "man", "woman", "ian", "ers", "ors", "ists", "ians"}

// notAgents end like people and are things, or people to whom rules apply.
var notAgents = setOf("adapter after another barrier barrister better boiler border buffer bumper bunker burner buyer carrier cashier center chamber chapter character charger charter cluster color computer consumer container cooler corridor counter courier cover customer cutter cylinder danger december disaster door earlier either elevator error ever exterior factor filter finger floor folder former freezer frontier further gender heater helicopter higher however hunger inner interior labor ladder later latter layer letter liter locker longer lower major master matter member mentor meter minister minor mirror monster motor never newer newsletter november number october offer older order other outer over paper passenger per player poster powder power printer proper quarter rather refer register router rubber scanner sector semester sensor september server shelter shorter shower sticker stranger summer super supplier tender timber together tower tractor trailer transfer trigger under upper user water weather whether winter")

// agentive tells whether a word is likely the name of an office that no table has:
// "curator", "scaffolder".
func agentive(w string) bool {
	if len(w) < 5 || notAgents[w] || notAgents[strings.TrimSuffix(w, "s")] {
		return false
	}
	for _, e := range agentiveEndings {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}
