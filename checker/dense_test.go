package checker_test

import (
	"testing"

	"contend/checker"
	"contend/model"
)

// A keeper holds for a length, and notes at its alarm, two ticks later or as its window
// says, if the hold is over by then.
type keeper struct {
	length model.Bound
	asks   model.Window
	Over   bool
}

func (h *keeper) Start(env model.Env) {
	env.Hold("lease", h.length)
	env.After("ask", h.asks)
}

func (h *keeper) Timeout(env model.Env, _ any) { h.Over = !env.Held("lease") }

// edge is a protocol whose one claim is broken where the hold is over when the node asks.
func edge(length model.Bound, asks model.Window) *model.Protocol {
	return &model.Protocol{
		Name: "edge", Title: "a hold that is asked about at its end",
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{
				Config:  c,
				Network: model.Network{Delay: model.By(1)},
				Nodes: []model.NodeSpec{{Name: "p", Role: model.Peer, New: func() model.Node {
					return &keeper{length: length, asks: asks}
				}}},
			}, nil
		},
		Claims: []model.Claim{{Name: "it lasts", Kind: model.Always, Assumes: []model.Assumption{model.Timed}, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*keeper).Over {
				return errOver
			}
			return nil
		}}},
	}
}

const errOver = over("it is over")

type over string

func (o over) Error() string { return string(o) }

// Where only the grid's closing of a strict bound breaks a claim, the grid leaves it open and
// dense time decides: at the very end of a hold, which lasts through it if it is closed, and
// just before and after.
func TestStrictBoundsAreDecidedInDenseTime(t *testing.T) {
	open := model.Window{Lo: model.Below(1), Hi: model.Below(2)}
	for _, c := range []struct {
		name        string
		length      model.Bound
		asks        model.Window
		grid, dense checker.Verdict
		limit       string // of the grid's verdict
	}{
		{"at the end of a closed hold", model.Through(2), model.Exactly(2), checker.Inconclusive, checker.Holds, "strict bound"},
		{"at the end of an open hold", model.Below(2), model.Exactly(2), checker.Violated, checker.Violated, ""},
		{"at the end of a hold that is a tick longer", model.Through(3), model.Exactly(2), checker.Holds, checker.Holds, ""},
		{"before the end of an open hold", model.Below(2), open, checker.Inconclusive, checker.Holds, "strict bound"},
		{"before or after the end of a closed hold", model.Through(1), open, checker.Violated, checker.Violated, ""},
		{"after the end of a hold, anywhere", model.Below(2), model.Window{Lo: model.Below(2), Hi: model.Bound{At: model.Forever, Open: true}}, checker.Violated, checker.Violated, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := edge(c.length, c.asks)
			for reading, want := range map[model.Reading]checker.Verdict{model.Grid: c.grid, model.Dense: c.dense} {
				rows, err := checker.Check(p, model.Check{Reading: reading}, checker.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got := rows[0].Claims[0]
				if got.Verdict != want || reading == model.Grid && got.Limit.String() != c.limit || reading == model.Dense && !got.Limit.None() {
					t.Errorf("%v: %v, limit %q, want %v", reading, got.Verdict, got.Limit, want)
				}
			}
		})
	}
}
