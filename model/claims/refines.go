package claims

import "contend/model"

// Refines claims that each run shows what some run of another protocol, the page, shows. The function see maps
// observations to those of the page: see [model.Refinement]. The page runs in its default configuration. Set
// [model.Refinement.At] if that depends on the system, and [model.Refinement.Hides] if the page shows more than
// is of interest.
//
// It is a safety claim, about prefixes of runs. The page and the protocol may take any number of silent steps,
// and the protocol need not make progress.
func Refines(page *model.Protocol, see func(o model.Observation) (model.Observation, bool)) model.Claim {
	return model.Claim{Name: "refines " + page.Name, Kind: model.Refines, Refinement: model.Refinement{Page: page, See: see}}
}
