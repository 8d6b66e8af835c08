package runs

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/model"
	"contend/model/value"
)

// Two steps are the same exactly if they agree in all that names a step of their kind: who is told matters except of a partition, and who
// has sent something only of messages. How long it takes, and whose monitor it is, does not.
func TestSameSteps(t *testing.T) {
	codec, err := value.For(&model.System{Types: []any{""}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	drawn := func() Step {
		s := Step{Kind: model.EventKind(r.IntN(int(model.EventKinds))), Node: model.NodeID(r.IntN(2)), From: model.NodeID(r.IntN(2)), Op: r.IntN(2),
			Value: []any{nil, "x", "y"}[r.IntN(3)], Occurrence: r.IntN(2), Claim: r.IntN(2), Delay: r.IntN(2)}
		for range r.IntN(3) {
			s.Picks = append(s.Picks, Pick{Of: r.IntN(2), Is: r.IntN(2), Held: r.IntN(2) == 0})
		}
		return s
	}
	changed := func(s Step) Step { // in one field, or in none
		other := drawn()
		switch r.IntN(10) {
		case 0:
			s.Kind = other.Kind
		case 1:
			s.Node = other.Node
		case 2:
			s.From = other.From
		case 3:
			s.Op = other.Op
		case 4:
			s.Value = other.Value
		case 5:
			s.Occurrence = other.Occurrence
		case 6:
			s.Claim, s.Delay = other.Claim, other.Delay
		case 7, 8:
			s.Picks = other.Picks
		}
		return s
	}
	sent := map[model.EventKind]bool{model.Deliver: true, model.Lose: true, model.Duplicate: true, model.Forge: true}
	name := func(s Step) string {
		if s.Kind == model.Partition {
			s.Node = 0
		}
		if !sent[s.Kind] {
			s.From = 0
		}
		for i, p := range s.Picks {
			s.Value = fmt.Sprint(s.Value, i, p.Of, p.Is, p.Held)
		}
		return fmt.Sprintf("%v %d %d %d %#v %d", s.Kind, s.Node, s.From, s.Op, s.Value, s.Occurrence)
	}
	same := 0
	for range 20_000 {
		s := drawn()
		other := changed(s)
		if got, want := s.equal(other, codec), name(s) == name(other); got != want {
			t.Fatalf("%+v and %+v: the same is %v", s, other, got)
		} else if want {
			same++
		}
	}
	if same < 5000 || same > 15_000 {
		t.Errorf("%d of 20000 pairs are the same", same)
	}
}
