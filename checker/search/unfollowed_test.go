package search

import (
	"fmt"
	"testing"

	"contend/model"
)

// A loser is the monitor of a claim that is not followed beyond the first note.
type loser struct{ Note int }

func (l *loser) Observe(_ model.Watch, o model.Observation) {
	if m, is := o.Value.(mark); is && o.Kind == model.Noted {
		l.Note = m.K
	}
}

func (l *loser) Follows() int                              { return 1 }
func (l *loser) Allows(func(model.NodeID) string) []string { return nil }

func (l *loser) Limit() string {
	if l.Note == 0 {
		return ""
	}
	return fmt.Sprint("note ", l.Note)
}

// A claim that is not followed to its end in some state is left open, whatever worker meets the state, and also where the search goes on from
// a checkpoint that is written afterwards. Of several limits the least is told.
func TestClaimsThatAreNotFollowed(t *testing.T) {
	defer func(was int64) { atLeast = was }(atLeast)
	atLeast = 1
	sends := scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		for m := 1; m <= 4; m++ {
			env.Send(1, m)
		}
		env.Return(nil)
	}}
	claims := []model.Claim{{Name: "follows", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &loser{} }}}
	for _, first := range []int{1, 2} {
		hears := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			if n.S = 10*n.S + m.(int); n.S == 12 {
				env.Note(mark{first})
			} else if n.S == 21 {
				env.Note(mark{3 - first})
			}
		}}
		s := system(client("c", sends, "go"), server("s", hears))
		s.Types = []any{mark{}, 0}
		for _, workers := range []int{1, 3} {
			if r := explore(t, s, Options{Workers: workers}, claims...); !r.Complete || r.Claims[0].Limit.String() != "note 1" {
				t.Errorf("%d workers: complete %v, limit %q", workers, r.Complete, r.Claims[0].Limit)
			}
		}
		tried := 0
		resumedAnywhere(t, s, Options{Workers: 1}, claims, func(n int, r *Result) {
			if tried++; r.Claims[0].Limit.String() != "note 1" {
				t.Errorf("after checkpoint %d: limit %q", n, r.Claims[0].Limit)
			}
		})
		if tried < 4 {
			t.Errorf("it was resumed %d times", tried)
		}
	}
}
