package tables

import (
	"contend/model"
	"contend/model/printed"
)

// problem returns a problem that a mutant of the protocol shows. The mutant may be a configuration alone, or an edit
// that the text proposes.
func problem(p *model.Protocol, text, mutant string) printed.Problem {
	v, err := p.Variant(mutant)
	if err != nil {
		model.Misused("table: %v", err)
	}
	at := v.Show
	at.Variant = mutant
	return printed.Problem{Text: text, Claim: v.Breaks, Check: at}
}
