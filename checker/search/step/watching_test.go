package step

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/component"
	"contend/model"
)

// A guard holds from the beginning on, and says when the bell rings whether the hold lasts; a counter counts
// what it is told.
type (
	guardian struct{ S int }
	counter  struct{ S int }
)

func (g *guardian) Observe(w model.Watch, o model.Observation) {
	switch o.Value {
	case "begins":
		w.Hold("h", model.Through(5))
	case "rings":
		if g.S = 2; w.Held("h") {
			g.S = 1
			w.After("a", model.Anytime())
			w.After("b", model.Anytime())
			w.Cancel("c")
			w.Witness()
		} else {
			w.After("c", model.Anytime())
			w.Violate("it is over")
		}
	case "measures":
		w.Measure(3)
	case "fails":
		panic("no")
	}
}

func (g *guardian) Expire(w model.Watch, key any) {
	if g.S = 3; key == "b" {
		w.Violate("b expires")
	}
}

func (c *counter) Observe(model.Watch, model.Observation) { c.S++ }

// What monitors make of an observation is in the successor, in each way in which a hold of theirs may have gone:
// their states, their alarms and holds, and what they say; and those that come after are told as well.
func TestMonitorsInASuccessor(t *testing.T) {
	claim := func(name string, m func() model.Monitor) model.Claim {
		return model.Claim{Name: name, Kind: model.Always, Monitor: func(*model.System) model.Monitor { return m() }}
	}
	claims := []model.Claim{
		claim("before", func() model.Monitor { return &counter{} }), claim("guard", func() model.Monitor { return &guardian{} }),
		claim("after", func() model.Monitor { return &counter{} }),
	}
	n := node{begins: func(env model.Env) { env.Note("begins"); env.After("bell", model.Anytime()) }, rings: func(n *node, env model.Env) {
		switch n.S++; n.S {
		case 1:
			env.Note("rings")
			env.After("bell", model.Anytime())
		case 2:
			env.Note("measures")
			env.After("bell", model.Anytime())
		case 3:
			env.Note("fails")
		}
	}}
	w := working(t, system(model.Peer, model.Anytime(), n), untimed, claims...)
	var texts []string
	var states [][]uint32
	tell := func(v []uint32, failed string) {
		text := strings.TrimSpace(fmt.Sprint(w.Move.Kind, heldOf(w.Move)))
		if failed == "" {
			for m, id := range v[w.MonitorAt:w.BudgetAt] {
				switch x := w.Codec.DecodeNode(w.Protos[w.N+m], []byte(w.Store.Locals.Items[id].Bytes)).(type) {
				case *guardian:
					text += fmt.Sprintf(" guard %d", x.S)
				case *counter:
					text += fmt.Sprintf(" counter %d", x.S)
				}
			}
			var pending []string
			for _, id := range v[w.Head:] {
				kind := "hold"
				if f := w.Flats[id]; f.Kind != component.Hold {
					kind = model.EventKind(f.Kind).String()
				}
				pending = append(pending, fmt.Sprintf("%s %v", kind, w.Decoded(w.Store.Bases.Items[w.Flats[id].Base].Value)))
			}
			slices.Sort(pending)
			text += fmt.Sprint(" ", pending)
		}
		for _, b := range w.Move.Broken {
			text += fmt.Sprintf(", monitor %d says %q and measures %d at %d", b.Monitor, b.Text, b.Measured, b.Who)
		}
		texts = append(texts, text+fmt.Sprintf(", witness %b", w.Move.Witness)+failed)
	}
	w.Emit = func(next []uint32) {
		v := slices.Clone(next)
		SortParts(v[w.Head:])
		if w.Sum != w.PrintOfState(v) {
			t.Errorf("the print of %v is not the sum of its parts", v)
		}
		states = append(states, v)
		tell(v, "")
	}
	w.Fail = func([]uint32) { tell(nil, ", it fails") }
	expand := func(v []uint32) []string {
		texts, states = nil, nil
		w.Expand(v, w.PrintOfState(v))
		slices.Sort(texts)
		return texts
	}
	w.Initial()
	at := states[0]
	lasts := "timeout it lasts counter 2 guard 1 counter 2 [expire a expire b hold h timeout bell], witness 10"
	over := "timeout it is over counter 2 guard 2 counter 2 [expire c timeout bell], monitor 1 says \"it is over\" and measures 0 at 0, witness 0"
	if got := expand(at); !slices.Equal(got, []string{over, lasts}) {
		t.Errorf("it rings: %q", got)
	}
	at = states[slices.IndexFunc(states, func(v []uint32) bool { return len(v)-w.Head == 4 })]
	want := []string{
		"expire counter 2 guard 3 counter 2 [expire a hold h timeout bell], monitor 1 says \"b expires\" and measures 0 at -1, witness 0",
		"expire counter 2 guard 3 counter 2 [expire b hold h timeout bell], witness 0",
		"timeout counter 3 guard 1 counter 3 [expire a expire b hold h timeout bell], monitor 1 says \"\" and measures 4 at 0, witness 10",
	}
	if got := expand(at); !slices.Equal(got, want) {
		t.Errorf("then it is %q, want %q", got, want)
	}
	at = states[slices.IndexFunc(states, func(v []uint32) bool { return len(v)-w.Head == 4 })]
	if got := expand(at); len(got) != 3 || !strings.HasSuffix(got[2], "it fails") {
		t.Errorf("and in the end %q", got)
	}
}

// heldOf says what a monitor was told of its hold.
func heldOf(m Move) (text string) {
	for _, p := range m.Picks {
		text += map[bool]string{true: " it lasts", false: " it is over"}[p.Lasts()]
	}
	return text
}
