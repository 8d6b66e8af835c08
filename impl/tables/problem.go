package tables

import "contend/model"

// problem is one that a mutant of the protocol shows: no edit but a configuration, or the edit
// that the text itself proposes.
func problem(p *model.Protocol, text, mutant string) model.PrintedProblem {
	v, err := p.Variant(mutant)
	if err != nil {
		model.Misused("table: %v", err)
	}
	at := v.Show
	at.Variant = mutant
	return model.PrintedProblem{Text: text, Claim: v.Breaks, Check: at}
}
