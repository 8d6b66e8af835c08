package committee

import (
	"testing"

	"contend/model/foreign"
)

// A liar signs as itself: no payload of its alphabet is genuine but its own.
func TestALiarCannotSignForOthers(t *testing.T) {
	for liar := range 4 {
		c := &Config{Validators: 4, Views: 3, Liar: liar}
		for view := range 3 {
			receiver := &foreign.Node[View]{View: View{View: view}}
			for _, m := range c.forge(receiver, 0, 0) {
				if p := m.(carrier).carried(); int(p.Signer) != liar || p.Genuine() && int(p.From) != liar {
					t.Errorf("%v of cn%d is signed by cn%d, where cn%d lies", p, p.From, p.Signer, liar)
				}
			}
		}
	}
}

// The expected primaries are the library's.
func TestPrimaries(t *testing.T) {
	for n := 1; n <= 7; n++ {
		c := &Config{Validators: n, Timeouts: make([]int, n), Liar: -1}
		v := c.validator(0)
		v.Core.Validators, v.Core.BlockIndex = c.keys(), height
		for view := range 4 {
			if got, want := c.primary(view), v.Core.GetPrimaryIndex(byte(view)); got != want {
				t.Errorf("n = %d, view %d: the primary is cn%d, not cn%d", n, view, want, got)
			}
		}
	}
}
