package confirm

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A run is named as it was: each step takes the event that it took, of several with one number that of its kind, sender and type,
// and all nodes end in the states that they were in. By these names, with all answers, it is taken again.
func TestARunIsNamedAsItWas(t *testing.T) {
	tells := func(_ *actor, env model.Env) {
		for to := range model.NodeID(3) {
			env.Send(to, int(env.Self()))
			env.Send(to, "x")
		}
		env.After("x", model.Exactly(1))
	}
	hears := func(a *actor, _ model.Env, m any) {
		if n, is := m.(int); is {
			a.S = 5*a.S + n + 1
		} else {
			a.S *= 2
		}
	}
	crowd := func() *model.System {
		a := actor{start: tells, receive: hears}
		s := system(model.Anytime(), a, a, a)
		s.Types, s.Faults = []any{0, ""}, model.Faults{Loss: 2, Duplication: 1}
		return s
	}
	named := 0
	tried := func(seed uint64, s *model.System) {
		codec, err := value.For(s, claims)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 9))
		_, w, records, _ := oracle.After(s, claims, 1, r, 1+r.IntN(10)) // what can follow it is not asked
		if w == nil {
			return // some beginning is refused
		}
		from, err := Beginning(s, codec, claims, w.Boot, records)
		if err != nil || len(from.Steps) != len(records) || len(from.Nodes) != len(s.Nodes) {
			t.Fatalf("seed %d: of %d steps %+v, %v", seed, len(records), from, err)
		}
		for i, r := range records {
			step, was := from.Steps[i], r.Move
			node, sender, of := was.Node, was.From, was.Value
			if was.Event != nil {
				node, sender, of = was.Event.Node, was.Event.From, was.Event.Value
			}
			if step.Kind != was.Kind || step.Node != node || step.From != sender || !bytes.Equal(codec.Any(step.Value, nil), codec.Any(of, nil)) {
				t.Fatalf("seed %d: step %d is %+v, and was %v at %d of %v from %d", seed, i+1, step, was.Kind, node, of, sender)
			}
			named++
		}
		again, err := Drive(s, codec, claims, search.Candidate{Boot: from.Boot, Steps: from.Steps})
		if err != nil || !slices.Equal(again.World.State(), w.State()) {
			t.Fatalf("seed %d: by its names it is no run, or another: %v", seed, err)
		}
		for i, state := range from.Nodes {
			if !bytes.Equal(state, w.Node(model.NodeID(i))) {
				t.Fatalf("seed %d: node %d ends as %q, and was %q", seed, i, state, w.Node(model.NodeID(i)))
			}
		}
	}
	for seed := range uint64(60) {
		tried(seed, crowd())
		tried(seed, random.Letters(rand.New(rand.NewPCG(seed, 6)), random.Timing{}))
		if it := random.Draw(seed); it.Reading == model.Untimed {
			tried(seed, it.System)
		}
	}
	if named < 300 {
		t.Errorf("only %d steps are named", named)
	}
}
