package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// A protocol whose lists do not fit together is refused in a sentence.
func TestProtocolValidate(t *testing.T) {
	done := model.Claim{Name: "done", Done: true}
	edit := func(*model.System) {}
	whole := func() *model.Protocol {
		return &model.Protocol{
			Name: "p", Params: []model.Parameter{model.Clients}, Build: func(model.Config) (*model.System, error) { return nil, nil }, Claims: []model.Claim{done},
			Variants: []model.Variant{{Name: "v", Edit: edit, Breaks: "done"}},
			Checks:   []model.Check{{Variant: "v", Claims: []string{"done"}}},
			Findings: []model.Finding{{Name: "f", Claim: "done"}},
		}
	}
	study := func(variant string) *model.Study {
		return &model.Study{Unit: func(model.Config) model.Ticks { return 1 }, UnitName: "Δ", Variants: []string{variant}}
	}
	assert.NoError(t, whole().Validate())
	for want, change := range map[string]func(p *model.Protocol){
		"needs a Build":                            func(p *model.Protocol) { p.Build = nil },
		`claim "done" needs a name of its own`:     func(p *model.Protocol) { p.Claims = append(p.Claims, done) },
		"must say what is claimed, not 0":          func(p *model.Protocol) { p.Claims[0].Done = false },
		"an Object goes with the kind":             func(p *model.Protocol) { p.Claims[0].Kind = model.Linearizable },
		`variant "v" needs a name of its own`:      func(p *model.Protocol) { p.Variants = append(p.Variants, p.Variants[0]) },
		`variant v refers to claim "x"`:            func(p *model.Protocol) { p.Variants[0].Breaks = "x" },
		`check 1: protocol p has no variant "w"`:   func(p *model.Protocol) { p.Checks[0].Variant = "w" },
		`check 1 refers to claim "y"`:              func(p *model.Protocol) { p.Checks[0].Claims = []string{"y"} },
		`finding f refers to claim "z"`:            func(p *model.Protocol) { p.Findings[0].Claim = "z" },
		"its study needs a Unit":                   func(p *model.Protocol) { p.Study = &model.Study{UnitName: "Δ"} },
		`its study names "w", which is not one of`: func(p *model.Protocol) { p.Study = study("w") },
		"its study needs the parameter clients":    func(p *model.Protocol) { p.Study, p.Params = study("v"), nil },
		`its study names "v", which is not one of`: func(p *model.Protocol) { p.Study = study("v") },
	} {
		p := whole()
		change(p)
		assert.ErrorContains(t, p.Validate(), want)
	}
}
