package tables

import (
	"contend/model"
	"contend/model/printed"
)

// problem is one that a mutant of the protocol shows: no edit but a configuration, or the edit
// that the text itself proposes.
func problem(p *model.Protocol, text, mutant string) printed.Problem {
	v, err := p.Variant(mutant)
	if err != nil {
		model.Misused("table: %v", err)
	}
	at := v.Show
	at.Variant = mutant
	return printed.Problem{Text: text, Claim: v.Breaks, Check: at}
}
