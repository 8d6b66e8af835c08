package mutex

import "contend/model"

// Lock is the sequential specification of a lock. A client acquires it when it is free. Only its holder releases it.
var Lock = model.Object{
	Name: "lock", Init: Holder{}, Types: []any{Holder{}},
	Step: func(state any, client model.NodeID, op any) []model.Effect {
		h := state.(Holder)
		switch op.(type) {
		case Acquire:
			if !h.Held {
				return []model.Effect{{State: Holder{true, client}}}
			}
		case Release:
			if h == (Holder{true, client}) {
				return []model.Effect{{State: Holder{}}}
			}
		}
		return nil
	},
}

// A Holder is a lock's state.
type Holder struct {
	Held bool
	By   model.NodeID
}
