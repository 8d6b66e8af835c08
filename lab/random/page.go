package random

import (
	"math/rand/v2"
	"slices"

	"contend/model"
)

// Page returns the claim that a case's system refines a page: the same system, possibly with other faults or
// without scripts, or the system of another seed. It returns false if a handler of either may fail.
func Page(seed uint64, c Case) (claim []model.Claim, ok bool) {
	r := rand.New(rand.NewPCG(seed, 41))
	way := r.IntN(8)
	drawn := seed
	if way > 4 {
		drawn = r.Uint64N(1 << 32)
	}
	page := Draw(drawn)
	if c.Fails || page.Fails {
		return nil, false
	}
	s := page.System
	shown := []model.ObservationKind{model.Noted, model.Delivered}
	if r.IntN(2) == 0 {
		shown = append(shown, model.Invoked, model.Returned, model.Released)
	}
	switch way {
	case 1:
		s.Faults = model.Faults{}
	case 2:
		s.Faults = model.Faults{Loss: 1}
	case 3:
		shown = []model.ObservationKind{model.Noted, model.Delivered, model.Invoked, model.Returned, model.Released}
		for i := range s.Nodes {
			s.Nodes[i].Script = nil
		}
	case 4:
		shown = append(shown, model.Crashed, model.Recovered)
	}
	see := func(o model.Observation) (model.Observation, bool) { return o, slices.Contains(shown, o.Kind) }
	protocol := &model.Protocol{Name: "page", Build: func(model.Config) (*model.System, error) { c := *s; return &c, nil }}
	return []model.Claim{{Name: "refines", Kind: model.Refines, Refinement: model.Refinement{
		Page: protocol,
		At:   func(*model.System) model.Check { return model.Check{Config: model.Config{Faults: s.Faults}} },
		See:  see, Hides: func(o model.Observation) bool { return !slices.Contains(shown, o.Kind) },
	}}}, true
}
