package search

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/checker/search/fingerprint"
	"contend/checker/search/frontier"
	"contend/checker/search/storage/faulty"
	"contend/model"
)

// A search that a limit stops names it, is not complete, and leaves undecided what
// only the whole state space decides.
func TestLimitsAreNamed(t *testing.T) {
	stop := make(chan struct{})
	close(stop)
	later := func() time.Time { return time.Unix(2, 0) }
	for _, c := range []struct {
		name, limit string
		opt         Options
	}{
		{"states", "states: 10", Options{MaxStates: 10}},
		{"memory", "memory: 0 MiB", Options{MaxMemory: 1}},
		{"deadline", "timeout", Options{Deadline: time.Unix(1, 0), Now: later}},
		{"interrupt", "interrupted", Options{Interrupt: stop}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explore(t, counting(50), c.opt, never(1),
				reach(model.Sometimes, 1), reach(model.PossibleFromEverywhere, 1), reach(model.Eventually, 1))
			if r.Complete || r.Limit.String() != c.limit || r.States > 11 {
				t.Errorf("complete %v, limit %q, %d states; want the limit %q", r.Complete, r.Limit, r.States, c.limit)
			}
			if len(r.Violated()) > 0 || r.Claims[2].Limit.String() != c.limit || r.Claims[3].Limit.String() != c.limit {
				t.Errorf("violated %v, undecided %v", r.Violated(), r.open())
			}
		})
	}
}

// Wherever in its last layer a search is stopped from outside, and by whichever worker, it is not complete: one state of many shows
// that the claim is violated, and none has a successor that is new.
func TestStoppedInTheLastLayer(t *testing.T) {
	defer func(least int64) { atLeast = least }(atLeast)
	atLeast = 1
	again := scripted{
		start: func(n *scripted, env model.Env) { n.S = env.Choose(60); env.Send(env.Self(), 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
			if env.Send(env.Self(), 1); n.S == 33 {
				env.Note(mark{1})
			}
		},
	}
	s := system(server("s", again))
	s.Types = []any{mark{}, 0}
	for _, workers := range []int{1, 3} {
		stopped, whole := 0, 0
		for after := int64(1); whole < 3; after++ {
			var looked atomic.Int64
			r := explore(t, s, Options{Workers: workers, Deadline: time.Unix(1, 0), Now: func() time.Time {
				if looked.Add(1) > after {
					return time.Unix(2, 0)
				}
				return time.Unix(0, 0)
			}}, never(1), never(2))
			switch {
			case r.Complete && (r.verdict(0) != refuted || !r.Limit.None()), !r.Complete && r.Limit.String() != Timeout:
				t.Fatalf("stopped after %d looks, %d workers: complete %v, limit %q, violated %v", after, workers, r.Complete, r.Limit, r.Violated())
			case r.Complete:
				whole++
			default:
				stopped++
			}
		}
		if stopped < 4 {
			t.Errorf("%d workers: stopped %d times", workers, stopped)
		}
	}
}

// Wherever a search is stopped from outside, by whichever worker, and whether parents are exact or not, it goes on to what the whole comes to.
func TestStoppedAnywhereAndResumed(t *testing.T) {
	defer func(least, until int64) { atLeast, exactUntil = least, until }(atLeast, exactUntil)
	atLeast, exactUntil = 1, 10
	stopped := 0
	for seed := range uint64(few(60, 10)) {
		s := somewhere(seed)
		claims := []model.Claim{quiet(1 + int(seed)%3), tells("1 is told", model.Sometimes, 1), never(0), {Name: "stops", Kind: model.Always, Done: true}}
		var judged []string
		if seed < 2 { // whose layers are wide
			s, claims = turning(), []model.Claim{never(1)}
		}
		opt := Options{Timed: seed%3 == 2, Exact: seed%4 >= 2, MaxStates: 3000, Workers: 1 + 2*int(seed%2), Histories: 3}
		opt.Judge = func(c Candidate) error {
			if !opt.Exact && opt.Workers > 1 { // which of the shortest ways is found first differs from search to search
				judged = append(judged, fmt.Sprint(len(c.Steps), " steps"))
			} else {
				judged = append(judged, fmt.Sprint(c.Steps))
			}
			return nil
		}
		want := explore(t, s, opt, claims...)
		histories := judged
		if !want.Limit.None() || slices.Max(want.Widths) < 40 {
			continue
		}
		for after := int64(2); ; after += 1 + after/4 {
			var disk faulty.FS
			run := func(resume bool, after int64) *Result {
				var looked atomic.Int64
				o := opt
				o.Checkpoint, o.Resume, o.files, o.every, o.Deadline = kept, resume, &disk, time.Hour, time.Unix(1, 0)
				o.Now = func() time.Time {
					if looked.Add(1) > after {
						return time.Unix(2, 0)
					}
					return time.Unix(0, 0)
				}
				return explore(t, s, o, claims...)
			}
			r := run(false, after)
			if r.Complete {
				break
			}
			if !slices.Contains(r.Notes, "a checkpoint is kept, from which it goes on with --resume") {
				continue // it met all states
			}
			stopped++
			judged = nil
			if a, b := fmt.Sprint(findings(run(true, 1<<40)), judged), fmt.Sprint(findings(want), histories); a != b {
				t.Fatalf("seed %d, stopped after %d looks:\nresumed %s\nwhole   %s", seed, after, a, b)
			}
		}
	}
	if t.Logf("stopped %d times", stopped); stopped < few(100, 10) {
		t.Error("too few searches are stopped")
	}
}

// A deadline that has not come yet, and an interrupt that never does, stop nothing.
func TestLimitsThatAreNotReached(t *testing.T) {
	opt := Options{
		MaxStates: 1000, MaxMemory: 1 << 30, Interrupt: make(chan struct{}),
		Deadline: time.Unix(3, 0), Now: func() time.Time { return time.Unix(2, 0) },
	}
	r := explore(t, counting(50), opt, reach(model.Sometimes, 1))
	if !r.Complete || !r.Limit.None() || !r.Claims[0].Reached || r.size() != (size{52, 51, 51}) {
		t.Errorf("complete %v, limit %q, %+v", r.Complete, r.Limit, r.size())
	}
}

// A search that is stopped while histories are judged is not complete: nothing is said to hold.
func TestStoppedWhileHistoriesAreJudged(t *testing.T) {
	stop, judged := make(chan struct{}), 0
	returns := scripted{invoke: func(n *scripted, env model.Env, _ any) { n.S = env.Choose(4); env.Return(nil) }}
	s := system(client("c", returns, "go"))
	r := explore(t, s, Options{Histories: 10, Interrupt: stop, Judge: func(Candidate) error {
		if judged++; judged == 2 {
			close(stop)
		}
		return nil
	}}, never(1))
	if r.Complete || r.Limit.String() != Interrupted || r.Histories != 2 || judged != 2 {
		t.Errorf("complete %v, limit %q, %d histories, %d judged", r.Complete, r.Limit, r.Histories, judged)
	}
}

// Of each claim that is broken in the layer in which a search is stopped from outside, a run is found.
func TestViolationsOfTheLayerThatIsStopped(t *testing.T) {
	stop := make(chan struct{})
	var once sync.Once
	s := system(client("c", scripted{invoke: func(n *scripted, env model.Env, _ any) {
		once.Do(func() { close(stop) })
		n.S = 1
		env.Return(nil)
	}}, "go"))
	broken := func(name string) model.Claim {
		return model.Claim{Name: name, Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*scripted).S == 1 {
				return errors.New(name)
			}
			return nil
		}}
	}
	r := explore(t, s, Options{Interrupt: stop}, broken("one"), never(1), broken("two"))
	if r.Limit.String() != Interrupted || len(r.Violated()) != 2 || r.broken(0).Text != "one" || r.broken(2).Text != "two" {
		t.Errorf("limit %q, violated %v", r.Limit, r.Violated())
	}
}

// In dense time, too, a search stops within a layer that has more states than it may have.
func TestDenseStopsWithinALayer(t *testing.T) {
	s := choosing()
	whole := explore(t, s, Options{Timed: true, Dense: true}, never(1))
	most := whole.Widths[0] + whole.Widths[1]/8
	if r := explore(t, s, Options{Timed: true, Dense: true, MaxStates: most}, never(1)); r.Complete || r.States > most+whole.Widths[1]/4 {
		t.Errorf("%d states of %v, though at most %d were asked for", r.States, whole.Widths, most)
	}
}

// choosing is a system of 1,600 first states, which has 3,200 others in the next layer.
func choosing() *model.System {
	s := scripted{
		start:   func(n *scripted, env model.Env) { n.S = env.Choose(40); env.Send(env.Self(), 1) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) { n.S += 100 },
	}
	return system(server("p", s), server("q", s))
}

// Any worker stops when the search is to, amid the states that it has taken, though the one that looks has none.
func TestWorkersStopAmidAChunk(t *testing.T) {
	x := explored(t, counting(3), []model.Claim{never(9)}, Options{Workers: 2})
	s, v := x.workers[1], x.traversal.runTo(x.roots[0]).V
	s.Refresh()
	for k := range uint64(200) {
		must(s.next.Add(fingerprint.Print{A: k + 1, B: 1}, v))
	}
	x.discrete().layer.Replace([]*frontier.Part{&s.next})
	at, _ := x.discrete().layer.Divide(1).Take(0)
	c, err := at.Load(&s.loaded)
	must(err)
	x.opt.Deadline, x.opt.Now = time.Unix(1, 0), func() time.Time { return time.Unix(2, 0) }
	if s.expandChunk(c); !x.stop.Load() || s.present.A > 20 {
		t.Errorf("stopped %v, after %d states", x.stop.Load(), s.present.A)
	}
}
