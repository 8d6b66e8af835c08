package search

import (
	"errors"
	"fmt"
	"testing"

	"contend/checker/judge"
	"contend/checker/search/component"
	"contend/checker/search/decide"
	"contend/model"
	"contend/model/claims"
	"contend/model/value"
)

// cell is a tiny system of a cell of the table: a server whose alarm notes 1, now and after
// a restart, and which gets a message that does nothing or leads beyond a cut; and a client
// with one operation, which returns or does not.
func cell(c decide.Case, returns bool) *model.System {
	delay := model.By(1)
	s := system(server("s", scripted{
		start: func(_ *scripted, env model.Env) {
			env.Note(mark{0})
			env.After("alarm", model.By(1))
			env.Send(0, 0)
			if c.Strict {
				env.Hold("lease", model.Through(1))
			}
		},
		timeout: func(_ *scripted, env model.Env, _ any) { env.Note(mark{1}) },
		receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) {
			if c.Cut {
				n.S = 1
			}
		},
	}), client("c", scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		if returns {
			env.Return(nil)
		}
	}}, "go"))
	s.Nodes[1].Script[0].After = delay
	s.Network = model.Network{Delay: delay, Channel: c.Channel}
	s.Cuts = []model.Cut{{Name: "small", Beyond: func(n model.Node) bool { return n.(*scripted).S > 0 }}}
	switch c.Fault {
	case decide.Loss:
		s.Faults.Loss = 1
	case decide.Duplication:
		s.Faults.Duplication = 1
	case decide.Crashes:
		s.Faults.Crashes = 1
		s.Nodes = append(s.Nodes, s.Nodes[1]) // who is down counts as done, so there is another
		s.Nodes[2].Name = "d"
	case decide.Restarts:
		s.Faults.Restarts = 1
	case decide.Suspicions:
		s.Detector.Kind, s.Faults.Suspicions = model.EventuallyPerfect, 1
	case decide.Partitions:
		s.Network.Partition, s.Faults.Partitions = delay, 1
	case decide.Lies:
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{7} }
	}
	return s
}

// cellClaim is a claim of a cell's kind that is true of its system, or one that is false.
func cellClaim(c decide.Case, isTrue bool) model.Claim {
	label := 9 // which is never noted
	if isTrue {
		label = 1
		if c.Fault == decide.Restarts && c.Kind.Plain() {
			label = 0 // a server that is down need not come back
		}
	}
	switch c.Kind {
	case decide.Always:
		return never(10 - label) // 9, or 1
	case decide.AlwaysDone:
		return model.Claim{Name: "done", Kind: model.Always, Done: true}
	case decide.Invariant:
		return model.Claim{Name: "invariant", Kind: model.Always, Invariant: func([]model.Node) error {
			if label == 9 {
				return errors.New("it is false")
			}
			return nil
		}}
	case decide.Linearizable:
		object := model.Object{Name: "object", Init: 0, Types: []any{0}, Step: func(any, model.NodeID, any) []model.Effect {
			if label == 9 {
				return nil
			}
			return []model.Effect{{State: 0}}
		}}
		return judge.Watched([]model.Claim{{Name: "linearizable", Kind: model.Linearizable, Object: object}})[0]
	case decide.Refines:
		return judge.Watched([]model.Claim{heldTo(label != 9)})[0]
	case decide.Sometimes:
		return reach(model.Sometimes, label)
	case decide.SometimesDone:
		return model.Claim{Name: "done", Kind: model.Sometimes, Done: true}
	case decide.Possible:
		return reach(model.PossibleFromEverywhere, label)
	case decide.Eventually:
		return reach(model.Eventually, label)
	case decide.Cost:
		c := &model.Cost{Name: "cost", Meter: func(*model.System) model.Monitor { return &priced{label: label} }}
		return c.Claim()
	}
	return reach(model.AlmostSurely, label)
}

// heldTo holds a system to a page that notes what it likes, or nothing.
func heldTo(anything bool) model.Claim {
	page := &model.Protocol{Name: "page", Build: func(model.Config) (*model.System, error) {
		return &model.System{Types: []any{mark{}}, Nodes: []model.NodeSpec{{Name: "page", Role: model.Server, New: func() model.Node { return &noter{anything} }}}}, nil
	}}
	return claims.Refines(page, func(o model.Observation) (model.Observation, bool) {
		return model.Observation{Kind: model.Noted, Value: o.Value}, o.Kind == model.Noted
	})
}

type noter struct{ anything bool }

func (n *noter) Start(env model.Env) { env.After("again", model.Anytime()) }

func (n *noter) Timeout(env model.Env, _ any) {
	n.Start(env)
	if n.anything {
		env.Note(mark{env.Choose(10)})
	}
}

// searchCell searches a cell's system in its reading.
func searchCell(c decide.Case, isTrue bool) (*Result, error) {
	s := cell(c, isTrue || c.Kind != decide.AlwaysDone && c.Kind != decide.SometimesDone)
	claim := cellClaim(c, isTrue)
	opt := Options{Timed: c.Reading != decide.Untimed, Dense: c.Reading == decide.Dense, MaxStates: 20_000, Pure: true}
	if c.Reading != decide.Exact {
		return Run(s, []model.Claim{claim}, opt)
	}
	codec, err := value.For(s, []model.Claim{claim})
	if err != nil {
		return nil, err
	}
	opt.MaxSpurious = 1
	return searchWith(s, codec, []model.Claim{claim}, opt, component.ExactGrid(1))
}

// says is what a search of one claim has come to: of a cost, that a number is the least and the
// most, or that there is none.
func (r *Result) says(c decide.Case) (holds, violated bool) {
	_, broken := r.Violated[0]
	if c.Kind == decide.Cost {
		_, found := r.Costs[0]
		all := r.Complete && r.Cut["small"] == 0
		return all && found, all && !found
	}
	if c.Kind == decide.Sometimes || c.Kind == decide.SometimesDone {
		return r.Reached[0], r.Complete && !r.Reached[0] && r.Undecided[0] == ""
	}
	return r.Complete && !broken && r.Undecided[0] == "" && r.Spurious[0] == 0, broken
}

// priced is a meter that reports the label that it looks for when it is noted.
type priced struct{ label int }

func (p *priced) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == (mark{p.label}) {
		w.Measure(p.label)
	}
}

// Every cell of the table is as the search has it: a claim that is true is never violated
// and one that is false never holds; where the table says that a verdict is given it
// is; what it refuses is refused, and what it leaves open is not even searched for.
func TestTableIsWhatIsDecided(t *testing.T) {
	decided := 0
	for _, c := range decide.Cases() {
		e := decide.Of(c)
		name := fmt.Sprintf("%v, %v, strict %v, cut %v, %v, %v: %s", c.Kind, c.Reading, c.Strict, c.Cut, c.Fault, c.Channel, e.How())
		if !*full && (c.Channel != model.Bag && c.Fault != decide.None || c.Reading == decide.Exact && c.Fault != decide.None) {
			continue
		}
		for _, isTrue := range []bool{true, false} {
			if !isTrue && c.Kind == decide.AlwaysDone && c.Cut {
				continue // what is kept from firing stops no run: it is true up to the cut
			}
			r, err := searchCell(c, isTrue)
			if e.Refused != (err != nil) {
				t.Fatalf("%s: error %v", name, err)
			}
			if err != nil {
				continue
			}
			holds, violated := r.says(c)
			if e.Undecided() && c.Reading != decide.Exact && (r.Undecided[0] != e.Limit || r.States > 0) {
				t.Errorf("%s: limit %q, %d states", name, r.Undecided[0], r.States)
			}
			if holds && violated || isTrue && violated && e.Violated != decide.No || !isTrue && holds && e.Holds != decide.No {
				t.Errorf("%s: the claim is %v, holds %v, violated %v", name, isTrue, holds, violated)
			}
			if isTrue && e.Holds == decide.Yes && !holds || !isTrue && e.Violated >= decide.Confirmed && !violated {
				t.Errorf("%s: the claim is %v and left open: %q", name, isTrue, r.Undecided[0])
			}
			if e.How() == "decided" {
				decided++
			}
		}
	}
	if least := few(333, 300); decided < least {
		t.Errorf("%d searches decide; want %d", decided, least)
	}
}
