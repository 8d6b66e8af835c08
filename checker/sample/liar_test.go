package sample_test

import (
	"strings"
	"testing"

	"contend/checker/sample"
	"contend/checker/sample/adversary"
	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
)

// gullible is a node that counts what it is told.
type gullible struct{ Told int }

func (g *gullible) Invoke(env model.Env, _ any) { env.Send(env.Self(), "mine") }

func (g *gullible) Receive(_ model.Env, _ model.NodeID, m any) {
	if m == "lie" {
		g.Told++
	}
}

// While a cut lasts, a liar is heard on its side of it alone.
func TestALiarIsNotHeardAcrossACut(t *testing.T) {
	node := func(name string) model.NodeSpec {
		return model.NodeSpec{Name: name, New: func() model.Node { return &gullible{} }, Script: []model.Op{{Call: "go"}, {Call: "on"}}}
	}
	s := &model.System{
		Nodes:   []model.NodeSpec{node("a"), node("b"), {Name: "liar", Role: model.Server, Byzantine: true}},
		Types:   []any{""},
		Forge:   func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} },
		Faults:  model.Faults{Partitions: 1},
		Network: model.Network{Delay: model.By(5), Partition: model.By(20)},
	}
	heard := map[bool]int{} // lies, by whether a cut lasts
	for seed := range uint64(200) {
		out, _ := once(t, s, nil, sample.Seeded(seed), world.Options{Timed: true, Parts: 4})
		var side model.Side
		for _, r := range out.Records {
			switch m := r.Move; m.Kind {
			case model.Partition:
				side = m.Value.(model.Side)
			case model.Heal:
				side = nil
			case model.Forge:
				if heard[side != nil]++; side.Parts(m.From, m.Node) {
					t.Fatalf("seed %d: the liar is heard at %s across the cut %v", seed, s.Name(m.Node), side)
				}
			}
		}
	}
	if heard[true] == 0 || heard[false] == 0 {
		t.Errorf("lies, by whether a cut lasts: %v; want some of each", heard)
	}
}

// A lie is credited to the behaviours that chose it, and nothing else is, but for a fault at the worst moment. Every
// behaviour is drawn, and one that is not is not met.
func TestLiesAreCredited(t *testing.T) {
	met := func(only ...string) map[string]bool {
		s, err := backoff.Protocol.System("", backoff.Protocol.Filled(model.Config{N: 6, B: 1, Faults: model.Faults{Loss: 2}}))
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]bool{}
		_, _, err = sample.Each(s, nil, sample.Options{Schedules: 400, Seed: 1, Adversaries: only}, func(run sample.Schedule) {
			for _, r := range run.Records {
				if (r.Move.Kind == model.Forge) != (r.By != "" && r.By != "worst-moment") {
					t.Fatalf("%v is credited to %q", r.Move.Kind, r.By)
				}
				for name := range strings.SplitSeq(r.By, ", ") {
					by[name] = true
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return by
	}
	all := met()
	for _, k := range adversary.Kinds() {
		if !all[k.Name] {
			t.Errorf("no step is credited to %s", k.Name)
		}
	}
	if by := met("replay"); len(by) != 2 || !by["replay"] {
		t.Errorf("with replay alone steps are credited to %v", by)
	}
}
