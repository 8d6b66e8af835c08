package search

import (
	"testing"

	"contend/checker/search/absorb"
	"contend/checker/search/symmetry"
	"contend/model"
)

// A scripted node does what its funcs say: tests of the engine write their
// protocols with it. The funcs are configuration; S and Log are state.
type scripted struct {
	start   func(n *scripted, env model.Env)
	invoke  func(n *scripted, env model.Env, op any)
	receive func(n *scripted, env model.Env, from model.NodeID, m any)
	timeout func(n *scripted, env model.Env, key any)
	S       int
	Log     []int
	Who     model.NodeID
}

func (n *scripted) Start(env model.Env) {
	if n.start != nil {
		n.start(n, env)
	}
}

func (n *scripted) Invoke(env model.Env, op any) {
	if n.invoke != nil {
		n.invoke(n, env, op)
	}
}

func (n *scripted) Receive(env model.Env, from model.NodeID, m any) {
	if n.receive != nil {
		n.receive(n, env, from, m)
	}
}

func (n *scripted) Timeout(env model.Env, key any) {
	if n.timeout != nil {
		n.timeout(n, env, key)
	}
}

// Nodes of each role.
func client(name string, n scripted, calls ...any) model.NodeSpec {
	return made(name, model.Client, n, calls)
}
func server(name string, n scripted) model.NodeSpec { return made(name, model.Server, n, nil) }
func peer(name string, n scripted, calls ...any) model.NodeSpec {
	return made(name, model.Peer, n, calls)
}

func made(name string, role model.Role, n scripted, calls []any) model.NodeSpec {
	spec := model.NodeSpec{Name: name, Role: role, New: func() model.Node { c := n; return &c }}
	for _, call := range calls {
		spec.Script = append(spec.Script, model.Op{Call: call, After: model.Anytime()})
	}
	return spec
}

// system is an asynchronous network of nodes.
func system(nodes ...model.NodeSpec) *model.System {
	return &model.System{Nodes: nodes, Network: model.Network{Delay: model.Anytime()}, Types: []any{mark{}}}
}

// A mark is a label that counts.
type mark struct{ K int }

// noted is a monitor that is reached when a note of label was observed.
type noted struct {
	label int
	Seen  bool
}

func (g *noted) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == (mark{g.label}) {
		w.Witness()
		g.Seen = true
	}
}
func (g *noted) Reached() bool { return g.Seen }

func reach(kind model.Kind, label int) model.Claim {
	return model.Claim{Name: kind.String(), Kind: kind, Monitor: func(*model.System) model.Monitor { return &noted{label: label} }}
}

// forbidden is a monitor that a note of label breaks.
type forbidden struct{ label int }

func (f *forbidden) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == (mark{f.label}) {
		w.Violate("note %d", f.label)
	}
}

func never(label int) model.Claim {
	return model.Claim{Name: "never", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &forbidden{label} }}
}

// pure are options for systems whose handlers are functions of what they are given, of which tests
// search thousands.
func pure(opt Options) Options {
	opt.Pure = true
	return opt
}

// discrete returns the traversal of a search that is not dense.
func (x *explorer) discrete() *discreteSearch { return x.traversal.(*discreteSearch) }

// groups returns the groups of symmetry; nil if the search uses none.
func (x *explorer) groups() *symmetry.Groups { return reductionOf[symmetric](x).Groups }

// absorber returns the absorber; nil if the search uses none.
func (x *explorer) absorber() *absorb.Absorber {
	if r := reductionOf[*absorbing](x); r != nil {
		return r.Absorber
	}
	return nil
}

func reductionOf[R reduction](x *explorer) (found R) {
	for _, r := range x.reductions {
		if is, ok := r.(R); ok {
			found = is
		}
	}
	return found
}

// eachState is called for each new state, with the lock on the components.
type eachState func(v []uint32)

func (w eachState) state(s *searcher, v []uint32) { s.Ask(func() { w(v) }) }
func (eachState) expanded(bool)                   {}
func (eachState) finish()                         {}

// explore validates and searches a system, whose state space is small: where a bound
// fails to bound it, the test fails rather than run for ever.
func explore(t testing.TB, s *model.System, opt Options, claims ...model.Claim) *Result {
	t.Helper()
	if opt.MaxStates == 0 {
		opt.MaxStates = 1_000_000
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := Run(s, claims, pure(opt))
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range r.Violated() {
		c := r.Claims[claim].Violated
		if c.Claim != claim {
			t.Errorf("the run that violates claim %d is said to violate claim %d", claim, c.Claim)
		}
	}
	return r
}

func (*scripted) Suspect(model.Env, model.NodeID) {}

func (*scripted) Trust(model.Env, model.NodeID) {}
