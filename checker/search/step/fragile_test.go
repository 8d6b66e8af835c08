package step

import (
	"fmt"
	"testing"

	"contend/checker/internal/random"
	"contend/model"
)

// A fragile node counts what its handlers are called for, and fails where a rule says so.
type fragile struct {
	rule *rule

	N int `contend:"stable"`
}

// A rule says which handler fails, and after how many calls of any.
type rule struct {
	what string
	at   int
}

func (f *fragile) does(what string) {
	model.Assert(what != f.rule.what || f.N < f.rule.at, "%s after %d", what, f.N)
	f.N = min(f.N+1, 2)
}

func (f *fragile) Start(env model.Env) {
	if f.does("Start"); env.Self() == 0 {
		env.After("bell", model.Anytime())
	}
}

func (f *fragile) Timeout(env model.Env, _ any) {
	f.does("Timeout")
	env.Send(1, "hello")
}

func (f *fragile) Receive(model.Env, model.NodeID, any) { f.does("Receive") }
func (f *fragile) Suspect(model.Env, model.NodeID)      { f.does("Suspect") }
func (f *fragile) Trust(model.Env, model.NodeID)        { f.does("Trust") }

func (f *fragile) Invoke(env model.Env, _ any) {
	f.does("Invoke")
	env.Return(f.N)
}

// A nervous monitor fails where it is told of something for the second time, or its alarm rings.
type nervous struct {
	rule *rule

	Told int
}

func (n *nervous) Observe(w model.Watch, o model.Observation) {
	if o.Kind.String() == n.rule.what {
		model.Assert(n.Told < n.rule.at, "%v after %d", o.Kind, n.Told)
		n.Told++
	}
	if n.rule.what == "Expire" {
		w.After("alarm", model.Anytime())
	}
}

func (n *nervous) Expire(model.Watch, any) {
	model.Assert(n.Told < n.rule.at, "an alarm after %d", n.Told)
	n.Told++
}

// So it is where any handler of a node or of a monitor fails, as the run begins or later, whoever has it called.
func TestStepsThatFail(t *testing.T) {
	back, mistaken, both, lied := model.Faults{Restarts: 1}, model.Faults{Crashes: 1, Suspicions: 1}, model.Faults{Restarts: 1, Suspicions: 1}, model.Faults{Loss: 1, Duplication: 1}
	for what, faults := range map[string][]model.Faults{
		"": {lied, back, mistaken}, "Start": {{}, back}, "Timeout": {back, lied}, "Receive": {lied}, "Suspect": {mistaken}, "Trust": {mistaken, both}, "Invoke": {back},
		"Expire": {lied}, "invoked": {back}, "returned": {lied}, "crashed": {back, mistaken}, "recovered": {back},
	} {
		for at := range 3 {
			for _, f := range faults {
				it := random.Case{System: fragiles(&rule{what, at}, f)}
				if what == "" { // the second call of the second node leads beyond a cut
					it.System.Nodes[1].New = func() model.Node { return &fragile{rule: &rule{"ends", 1}} }
					it.System.Cuts = []model.Cut{{Name: "calls", Beyond: func(n model.Node) bool { f := n.(*fragile); return f.rule.what == "ends" && f.N > f.rule.at }}}
				}
				claims := []model.Claim{{Name: "nervous", Monitor: func(*model.System) model.Monitor { return &nervous{rule: &rule{what, at}} }}}
				if how, small := differs(t, it, claims, 400); how != "" || !small {
					t.Errorf("%s fails after %d calls, with %+v: it is small: %v, %s", what, at, f, small, how)
				}
			}
		}
	}
}

// fragiles are two fragile nodes, of which one has an application, and a liar where messages are lost.
func fragiles(r *rule, f model.Faults) *model.System {
	s := &model.System{Network: model.Network{Delay: model.Anytime()}, Faults: f, Types: []any{0, ""}}
	for i := range 2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("f", i), Role: model.Server, Crash: model.CrashStopRecovery, New: func() model.Node { return &fragile{rule: r} }})
	}
	s.Nodes[0].Role, s.Nodes[0].Script = model.Client, []model.Op{{Call: 0}}
	if f.Suspicions > 0 {
		s.Detector.Kind = model.EventuallyPerfect
	}
	if f.Loss > 0 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
		s.Forge = func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} }
	}
	return s
}
