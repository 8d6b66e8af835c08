package abd

import "contend/model"

const (
	proofs  = "docs/proofs/abd.md#"
	atomic  = "the register is atomic"
	returns = "every operation returns"
)

var claimed = []model.Claim{
	{
		Name: atomic, Kind: model.Linearizable, Source: "Attiya–Bar-Noy–Dolev 1995", Proof: proofs + "atomicity",
		Object: model.Object{Name: "register", Init: 0, Step: func(state any, _ model.NodeID, op any) []model.Effect {
			if w, writes := op.(Write); writes {
				return []model.Effect{{State: w.Value, Result: nil}}
			}
			return []model.Effect{{State: state, Result: state}}
		}},
	},
	{
		Name: returns, Kind: model.Eventually, Source: "Attiya–Bar-Noy–Dolev 1995: a minority may crash", Proof: proofs + "operations-return",
		Assumes: []model.Assumption{model.NoLoss, model.NoMemoryLoss}, Done: true,
	},
}
