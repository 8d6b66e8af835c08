package claims

import "contend/model"

// Refines claims that each run of the protocol shows the observations of some run of another protocol, the
// page. The function see maps observations to the page's observations: see [model.Refinement]. The page runs
// in its default configuration. Set [model.Refinement.At] if the configuration depends on the system, and
// [model.Refinement.Hides] if some of the page's observations are irrelevant.
//
// It is a safety claim, about prefixes of runs. The page and the protocol may take any number of silent
// steps, and the protocol need not make progress.
func Refines(page *model.Protocol, see func(o model.Observation) (model.Observation, bool)) model.Claim {
	return model.Claim{Name: "refines " + page.Name, Kind: model.Refines, Refinement: model.Refinement{Page: page, See: see}}
}
