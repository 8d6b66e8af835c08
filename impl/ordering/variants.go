package ordering

import (
	"slices"

	"contend/model"
)

var variants = slices.Concat(workloads, contends)

// contends are what contend may be besides abstract.
var contends = []model.Variant{
	{
		Name: "stabilizing", Title: "contend() keeps clients apart, but for --attempts overlaps in a run; channels are FIFO",
		Edit: stabilize, Unclaimed: asPrinted,
	},
	{
		Name: "composed", Title: "contend() is the protocol of Figure 1, with the same servers",
		Edit: compose, Unclaimed: asPrinted,
	},
	{
		Name: "composed-truncated", Title: "as composed, with backoffs that stop growing after --tries broadcasts: finite without that cut",
		Edit: composeFinite, Unclaimed: asPrinted,
	},
}

// asPrinted are claims that are findings for the protocol as printed: its variants
// claim what stands beside them.
var asPrinted = []string{"Lemma 4 (1)", "Lemma 4 (2)"}

// workloads are what clients may ask for, and how far they have come at boot.
var workloads = []model.Variant{
	{Name: "register", Title: "the object is a register", Edit: work(readsAndWrites)},
	{Name: "counter", Title: "the object is a counter", Edit: work(adds)},
	{Name: "map", Title: "the object is a key-value map", Edit: work(putsAndLookups)},
	{Name: "cards", Title: "the object is nondeterministic: a pack of cards that are dealt", Edit: work(deals)},
	{Name: "seeded", Title: "each client's first operation is pending at all servers at boot", Edit: seed},
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

// seed lets the first operations begin at boot, and all servers have them already.
func seed(s *model.System) {
	cfg := setup(s)
	first := map[Label]any{}
	for i := range s.Nodes {
		if n := &s.Nodes[i]; n.Role == model.Client {
			n.Script[0].AtBoot, n.Script[0].After = true, model.Window{}
			first[Label{model.NodeID(i), 1}] = n.Script[0].Call
		}
	}
	reach := cfg.Reach
	cfg.Reach = func(env model.Env, o Op) []model.NodeID {
		if o.Label.Seq == 1 {
			return nil
		}
		return reach(env, o)
	}
	editServers(func(srv *Server) {
		srv.Pending, srv.Asleep = map[Label]any{}, map[Label]bool{}
		for o, call := range first {
			srv.Pending[o], srv.Asleep[o] = call, true
		}
	})(s)
}

// editServers edits what servers start with.
func editServers(edit func(*Server)) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if n := &s.Nodes[i]; n.Role == model.Server {
				make := n.New
				n.New = func() model.Node {
					node := make()
					edit(node.(interface{ server() *Server }).server())
					return node
				}
			}
		}
	}
}
