package symmetry

import (
	"fmt"
	"slices"
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/value"
)

// A server counts what it hears, knows who spoke last, answers with its own name, and tells all
// servers of the first question. The odd one counts twice.
type server struct {
	servers []model.NodeID
	greets  bool
	odd     model.NodeID
	Heard   int
	Last    []model.NodeID // one, or none
}

// Start has servers that greet tell each other, so that they come to name each other in circles.
func (n *server) Start(env model.Env) {
	for _, s := range n.servers {
		if n.greets && s != env.Self() {
			env.Send(s, "told")
		}
	}
}

func (n *server) Receive(env model.Env, from model.NodeID, m any) {
	n.Heard, n.Last = n.Heard+1, []model.NodeID{from}
	if env.Self() == n.odd {
		n.Heard++
	}
	if m == "ask" {
		env.Send(from, answer{env.Self()})
		if n.Heard == 1 {
			env.Broadcast(n.servers, "told")
		}
	}
}

// A client asks two of the servers, which it chooses, and remembers who answered.
type client struct {
	servers []model.NodeID
	Of      []model.NodeID
}

func (n *client) Invoke(env model.Env, _ any) {
	without := env.Choose(len(n.servers))
	for k, s := range n.servers {
		if k != without {
			env.Send(s, "ask")
		}
	}
}

func (n *client) Receive(env model.Env, _ model.NodeID, m any) {
	if n.Of = append(n.Of, m.(answer).By); len(n.Of) == 2 {
		env.Return(nil)
	}
}

type answer struct{ By model.NodeID }

// odd is what makes one node unlike the others.
type odd struct {
	server model.NodeID // does what no other does; 0: none
	calls  bool         // the second client has a call of its own
	starts bool         // the second server has heard of something as it is made
	forged bool         // a liar lies to the first server alone
	greets bool         // none is: all servers greet
}

// asked is a system of clients, who ask, and servers; one of the nodes may be odd.
func asked(clients, servers int, o odd) *model.System {
	s := &model.System{Network: model.Network{Delay: model.Anytime()}, Types: []any{answer{}}}
	if o.server == 0 {
		o.server = -1
	}
	var ids []model.NodeID
	for k := range servers {
		ids = append(ids, model.NodeID(clients+k))
	}
	for k := range clients {
		call := "go"
		if o.calls && k == 1 {
			call = "go on"
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("c", k+1), Role: model.Client,
			New: func() model.Node { return &client{servers: ids} }, Script: []model.Op{{Call: call, After: model.Anytime()}}})
	}
	for k := range servers {
		first := server{servers: ids, odd: o.server, greets: o.greets}
		if o.starts && k == 1 {
			first.Heard = 1
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", k+1), Role: model.Server, New: func() model.Node { n := first; return &n }})
	}
	if o.forged {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = func(_ model.Node, to, _ model.NodeID) []any {
			if to == ids[0] {
				return []any{"told"}
			}
			return nil
		}
	}
	return s
}

// explored are states of a system within some steps, each once, with the worker that took them.
func explored(t *testing.T, s *model.System, claims []model.Claim, permute map[string]bool, most int) (states [][]uint32, w *step.Worker, g *Groups) {
	t.Helper()
	codec, err := value.For(s, claims)
	if err != nil {
		t.Fatal(err)
	}
	e := step.NewEngine(component.NewStore(s, codec, claims, false, component.Closing))
	if g = New(e, permute); g != nil {
		e.Checks = g
		g.CheckInitial()
	}
	w = step.NewWorker(e)
	met := map[fingerprint.Print]bool{}
	w.Emit = func(next []uint32) {
		if p := w.Sum; !met[p] && len(states) < most {
			met[p] = true
			v := slices.Clone(next)
			step.SortParts(v[w.Head:])
			states = append(states, v)
		}
	}
	w.Initial()
	for k := 0; k < len(states); k++ {
		w.Expand(states[k], w.PrintOfState(states[k]))
	}
	for g != nil && g.Settle(3) {
	}
	w.Refresh()
	return states, w, g
}

// A rule is a monitor that knows which node invoked first.
type rule struct{ First []model.NodeID }

func (m *rule) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Invoked && m.First == nil {
		m.First = []model.NodeID{o.Node}
	}
}

var ruled = []model.Claim{{Name: "ruled", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &rule{} }}}

// twice has a second monitor of the same kind.
var twice = []model.Claim{ruled[0], {Name: "ruled again", Kind: model.Always, Monitor: ruled[0].Monitor}}

// both are the groups that may be permuted.
var both = map[string]bool{Servers: true, Clients: true}
