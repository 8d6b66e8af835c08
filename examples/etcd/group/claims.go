package group

import (
	"fmt"
	"strings"

	"contend/model"
	"contend/model/claims"
	"contend/program"
)

var claimed = []model.Claim{
	{Name: "linearizable", Kind: model.Linearizable, Object: store,
		Source: "etcd.io/docs, KV API guarantees: operations are linearizable, and each change has a revision of its own"},
	claims.From(program.NoExit(), source, ""),
	claims.From(claims.OneLeaderATerm(leads), "Ongaro–Ousterhout, §5.2", ""),
	{Name: "same hash", Kind: model.Always, Source: "etcd.io/docs, Data corruption: members have the same hash at the same revision",
		Monitor: func(*model.System) model.Monitor { return &sameHash{} }},
	{Name: "changes are answered", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &answered{} }},
}

var fenced = model.Claim{Name: "fenced changes are in order", Kind: model.Always,
	Source:  "client/v3/concurrency, Mutex.IsOwner and Election.Rev: a comparison of the revision succeeds only for the owner",
	Monitor: func(*model.System) model.Monitor { return &order{} }}

// A State is the state of the store.
type State struct {
	Revision int
	X, Y     string // "VALUE@REVISION", or "none"
}

// store is the sequential specification. Each change of a key has the next revision. A read shows the revision of the store.
var store = model.Object{
	Name: "store", Init: State{1, "none", "none"}, Types: []any{State{}}, Unknown: "unknown",
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		s, words := state.(State), append(strings.Fields(op.(string)), "")
		at := &s.X
		if words[1] == "y" {
			at = &s.Y
		}
		switch words[0] {
		case "compact":
			return []model.Effect{{State: s, Result: "ok"}}
		case "get":
			return []model.Effect{{State: s, Result: fmt.Sprint(*at, " ", s.Revision)}, {State: s, Result: "failed"}}
		case "put":
			s.Revision++
			*at = fmt.Sprintf("%s@%d", words[2], s.Revision)
		case "del":
			if *at != "none" {
				s.Revision++
				*at = "none"
			}
		}
		return []model.Effect{{State: s, Result: fmt.Sprint("ok ", s.Revision)}}
	},
}
