package sample_test

import (
	"testing"

	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
)

// cautious is a node whose operation leads beyond a cut.
type cautious struct{ Begun bool }

func (c *cautious) Invoke(_ model.Env, _ any) { c.Begun = true }

// A run whose operation at boot leads beyond a cut ends there, whatever a liar would
// say.
func TestCutAtBootEndsTheRun(t *testing.T) {
	s := &model.System{
		Nodes: []model.NodeSpec{
			{Name: "c", New: func() model.Node { return &cautious{} }, Script: []model.Op{{Call: "go", AtBoot: true}}},
			{Name: "liar", Role: model.Server, Byzantine: true},
		},
		Forge: func(model.Node, model.NodeID, model.NodeID) []any { return []any{"lie"} },
		Cuts:  []model.Cut{{Name: "begun", Beyond: func(n model.Node) bool { return n.(*cautious).Begun }}},
	}
	for seed := range uint64(50) {
		w, err := world.New(s, nil, world.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if out := sample.Run(w, sample.Seeded(seed), sample.Bounds{}); out.End != sample.Cut {
			t.Fatalf("seed %d: the run ends %s: %v", seed, out.End, out.Err)
		}
	}
}
