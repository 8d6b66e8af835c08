package step

import (
	"maps"
	"testing"

	"contend/checker/search/liveness"
	"contend/model"
)

// A step is marked where it rests on an answer about a hold that only closed bounds allow: at exactly the end of a hold, that
// one which lasts through its end is over, or that one which does not still lasts.
func TestStepsOnClosedBoundsAreMarked(t *testing.T) {
	const lasts, over = "1", "2"
	for name, c := range map[string]struct {
		length model.Bound
		by     reading
		want   map[string]bool // by what comes of it
	}{
		"through its end":             {model.Through(2), grid, map[string]bool{lasts: false, over: true}},
		"up to its end":               {model.Below(2), grid, map[string]bool{lasts: true, over: false}},
		"it lasts":                    {model.Through(3), grid, map[string]bool{lasts: false}},
		"it is over":                  {model.Through(1), grid, map[string]bool{over: false}},
		"through its end, exactly":    {model.Through(2), exact, map[string]bool{lasts: false}},
		"up to its end, exactly":      {model.Below(2), exact, map[string]bool{over: false}},
		"through its end, at no time": {model.Through(2), untimed, map[string]bool{lasts: false, over: false}},
	} {
		w := working(t, system(model.Peer, model.Anytime(), node{
			begins: func(env model.Env) {
				env.Hold("first", model.Through(9)) // an answer that rests on nothing closed comes before
				env.Hold("hold", c.length)
				env.After("bell", model.Exactly(2))
			},
			rings: func(n *node, env model.Env) {
				if n.S = 2; env.Held("first") && env.Held("hold") {
					n.S = 1
				}
			},
		}), c.by)
		v, got := first(t, w), map[string]bool{}
		w.Emit = func(next []uint32) {
			got[shown(w, next)[:1]] = w.Edge().Flags&liveness.Closed != 0
		}
		if w.Expand(v, w.PrintOfState(v)); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
