package search

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"contend/checker/search/parts"
	"contend/model"
)

// An ear hears what the leader of a search of two parts asks the other, and what that has when it answers.
type ear struct {
	end
	answered func(what parts.Kind)
}

func (e ear) Ask(to int, what parts.Kind, question []byte) ([]byte, error) {
	answer, err := e.end.Ask(to, what, question)
	e.answered(what)
	return answer, err
}

// A part that the one that leads it tells to stop does not check to its end that renaming commutes.
func TestAPartIsStoppedWhileSymmetryIsChecked(t *testing.T) {
	settlesOneByOne(t, math.MinInt/2)
	answer := scripted{receive: func(n *scripted, env model.Env, from model.NodeID, _ any) { n.S++; env.Send(from, n.S) }}
	c := scripted{
		invoke:  func(_ *scripted, env model.Env, _ any) { env.Broadcast([]model.NodeID{1, 2, 3}, 0); env.Return(nil) },
		receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S++ },
	}
	s := func() *model.System {
		return system(client("c", c, "go", "go"), server("s1", answer), server("s2", answer), server("s3", answer), client("d", c, "go"))
	}
	claims := []model.Claim{never(99)}
	// searched is a search whose second part is told to stop at a look, if it looks so often; it tells in how many layers that part left
	// something unchecked.
	searched := func(at int64) (looks int64, left int, r *Result) {
		w := &wire{over: make(chan struct{}), answers: make([]func(int, parts.Kind, []byte) []byte, 2), bytes: map[parts.Kind]int64{}, asked: map[parts.Kind]int64{}}
		stop := make(chan struct{})
		var n atomic.Int64
		var f *Follower
		o := pure(Options{Symmetry: true, Deadline: time.Unix(1, 0), Now: func() time.Time {
			if n.Add(1) == at {
				close(stop)
				f.x.stop.Store(true) // as an answer to parts.Far does
			}
			return time.Unix(0, 0)
		}})
		var err error
		if f, err = Follow(s(), claims, o, end{w, 1}); err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r = explore(t, s(), Options{Symmetry: true, Interrupt: stop, Exchange: ear{end{w, 0}, func(what parts.Kind) {
			if what == parts.Expand && f.x.sym.Unsettled() {
				left++
			}
		}}}, claims...)
		return n.Load(), left, r
	}
	looks, left, whole := searched(0)
	if left > 0 || !whole.Complete {
		t.Errorf("%d layers are not checked to the end, and the search is complete: %v", left, whole.Complete)
	}
	stopped := 0
	for at := int64(1); at < looks; at += looks/20 + 1 {
		_, left, r := searched(at)
		if left > 0 && (r.Complete || r.Limit.String() != Interrupted) { // a stop at one of the last looks comes too late
			t.Errorf("stopped at look %d of %d: complete %v, limit %q, in %d layers something was left unchecked", at, looks, r.Complete, r.Limit, left)
		}
		stopped += left
	}
	if stopped == 0 { // how many they are depends on which part is sooner
		t.Error("nothing was left unchecked")
	}
}
