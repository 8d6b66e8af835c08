package claims

import "contend/model"

// Refines says that what each run shows is what some run of another protocol shows, its page, which
// see maps observations to: see [model.Refinement]. The page runs in its default configuration; set
// [model.Refinement.At] where that depends on the system, and [model.Refinement.Hides] where the
// page shows more than is of interest.
//
// It is a claim of safety, about beginnings of runs: the page may take any number of silent steps,
// and so may the protocol, which need not get anywhere.
func Refines(page *model.Protocol, see func(o model.Observation) (model.Observation, bool)) model.Claim {
	return model.Claim{Name: "refines " + page.Name, Kind: model.Refines, Refinement: model.Refinement{Page: page, See: see}}
}
