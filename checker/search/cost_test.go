package search

import (
	"fmt"
	"strings"
	"testing"

	"contend/checker/search/fingerprint"
	"contend/checker/search/suspect"
	"contend/model"
)

// A gauge is a meter that reads a number from observations of a kind.
type gauge struct {
	kind model.ObservationKind
	read func(o model.Observation) int
}

func (g *gauge) Observe(w model.Watch, o model.Observation) {
	if o.Kind == g.kind {
		w.Measure(g.read(o))
	}
}

// gauged is the claim of a cost that reads a number from observations of a kind.
func gauged(kind model.ObservationKind, read func(o model.Observation) int) model.Claim {
	c := &model.Cost{Name: "gauge", Sends: true, Meter: func(*model.System) model.Monitor { return &gauge{kind, read} }}
	return c.Claim()
}

// Renaming nodes must not change a number: where it does, the group is refused, and both numbers
// are found. What a meter is told of a message that is sent is renamed with both its ends.
func TestSymmetryOfCosts(t *testing.T) {
	const server = 2
	for _, c := range []struct {
		name    string
		claim   model.Claim
		notes   int
		extreme [2]int
	}{
		{"who delivers", gauged(model.Delivered, func(o model.Observation) int { return int(o.Node) }), 1, [2]int{0, 1}},
		{"whoever delivers", gauged(model.Delivered, func(model.Observation) int { return 5 }), 0, [2]int{5, 5}},
		{"who is answered", gauged(model.Sent, func(o model.Observation) int { return int(o.To) }), 1, [2]int{0, server}},
		{"which way it goes", gauged(model.Sent, func(o model.Observation) int {
			if o.To == server && o.Node != server {
				return 3
			}
			return 4
		}), 0, [2]int{3, 4}},
	} {
		r := explore(t, handsUp(), Options{Clients: true}, c.claim)
		if got := [2]int{r.Claims[0].Cost.Least.Number, r.Claims[0].Cost.Most.Number}; got != c.extreme || len(r.Notes) != c.notes {
			t.Errorf("%s: %v; notes %q", c.name, got, r.Notes)
		}
	}
}

// A search for a cost that goes on from a checkpoint still knows what was measured before.
func TestResumedCosts(t *testing.T) {
	ticks := scripted{receive: func(n *scripted, env model.Env, _ model.NodeID, _ any) {
		if n.S++; n.S < 6 {
			env.Send(env.Self(), 5)
		}
	}}
	c := scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		env.Send(1, 2)
		env.Send(1, 9)
		env.Return(nil)
	}}
	s := system(client("c", c, "go"), server("s", ticks))
	s.Types = []any{0}
	claims := []model.Claim{gauged(model.Sent, func(o model.Observation) int { return o.Value.(int) })}
	whole := explore(t, s, Options{}, claims...).Claims[0].Cost
	if whole.Least.Number != 2 || whole.Most.Number != 9 {
		t.Fatalf("%+v", whole)
	}
	tried := 0
	resumedAnywhere(t, s, Options{}, claims, func(n int, r *Result) {
		tried++
		if *r.Claims[0].Cost != *whole {
			t.Errorf("resumed after checkpoint %d: %+v, not %+v", n, r.Claims[0].Cost, whole)
		}
	})
	if tried < 4 {
		t.Errorf("it was resumed %d times", tried)
	}
}

// The runs that are shown are the same however many workers there are, and whoever is first.
func TestRunsOfCostsDoNotDependOnWorkers(t *testing.T) {
	defer func(least, until int64) { atLeast, exactUntil = least, until }(atLeast, exactUntil)
	shown := 0
	for seed := range uint64(few(13, 10)) {
		runs := func(workers int, exact bool) (all string) {
			opt := Options{Workers: workers, Exact: exact, MaxStates: 5_000, Confirm: func(c Candidate) (Confirmation, error) {
				if !strings.HasPrefix(c.Text, fmt.Sprintf("%s: %d ", []string{"gauge", "total"}[c.Claim], c.Number)) {
					t.Errorf("seed %d: %q is shown", seed, c.Text)
				}
				all += fmt.Sprintln(c.Text, c.Steps)
				return Real, nil
			}}
			total := model.Cost{Name: "total", AtEnd: true, Most: 3, Meter: func(*model.System) model.Monitor { return &toThree{} }}
			r := explore(t, somewhere(seed), opt, gauged(model.Noted, func(o model.Observation) int { return 1 + int(o.Node) }), total.Claim())
			if !r.Complete {
				return "" // where in a layer it is stopped depends on who does what
			}
			return all
		}
		atLeast, exactUntil = 1, 1<<40
		want := runs(1, true)
		exactUntil = 10
		for workers := range 4 {
			if got := runs(1+workers, false); got != want {
				t.Fatalf("seed %d: by %d workers\n%sbut\n%s", seed, 1+workers, got, want)
			}
		}
		if want != "" {
			shown++
		}
	}
	if shown < 3 {
		t.Errorf("%d systems show a run", shown)
	}
}

// toThree counts to three notes, and is read at the end.
type toThree struct{ Notes int }

func (f *toThree) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		f.Notes = min(f.Notes+1, 3)
	}
}
func (f *toThree) Total() int { return f.Notes }

// counted is a meter that is read at the end: of each note of a node there is one number.
type counted struct{ Notes []int }

func (c *counted) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		c.Notes = append(c.Notes, o.Value.(mark).K)
	}
}
func (c *counted) Totals() []int { return c.Notes }

// What is read at the end is read where every script is done and nothing is left to happen, and of each number there; beside other claims, and
// other costs, which nobody reads there. A run that says nothing of it does not put it to the test.
func TestCostsOfWholeRuns(t *testing.T) {
	cost := func(atEnd bool) model.Claim {
		return (&model.Cost{Name: "notes", AtEnd: atEnd, Meter: func(*model.System) model.Monitor { return &counted{} }}).Claim()
	}
	claims := []model.Claim{never(99), cost(false), cost(true)}
	notes := func(numbers ...int) func(*scripted, model.Env, any) {
		return func(_ *scripted, env model.Env, _ any) {
			for _, k := range numbers {
				env.Note(mark{k})
			}
			env.Return(nil)
		}
	}
	stuck := func(n *scripted, env model.Env, _ any) { // it notes the least and the most, but such a run does not come to its end
		if env.Choose(2) == 0 {
			env.Note(mark{1})
			env.Note(mark{98})
			return
		}
		notes(5)(n, env, nil)
	}
	for name, c := range map[string]struct {
		invoke func(*scripted, model.Env, any)
		want   *[2]int
		steps  int
	}{
		"several numbers": {notes(7, 3, 9), &[2]int{3, 9}, 2},
		"one of them":     {notes(7), &[2]int{7, 7}, 2},
		"none":            {notes(), nil, 0},
		"not to its end":  {stuck, &[2]int{5, 5}, 2},
	} {
		r := explore(t, system(peer("p", scripted{invoke: c.invoke}, "go")), Options{}, claims...)
		e := r.Claims[2].Cost
		is := e != nil
		if is != (c.want != nil) || r.Claims[2].Witnessed != is || r.Claims[1].Witnessed || len(r.costs()) > 1 {
			t.Errorf("%s: %+v, put to the test %v", name, r.costs(), r.witnessed())
		}
		if is && ([2]int{e.Least.Number, e.Most.Number} != *c.want || e.Least.Steps != c.steps || e.Most.Steps != c.steps) {
			t.Errorf("%s: %+v, want %v", name, e, *c.want)
		}
	}
}

// Of equal numbers that workers measured in one layer the one with the least state is shown, whoever has it.
func TestEqualCostsOfWorkers(t *testing.T) {
	for _, keys := range [][2]uint64{{3, 9}, {9, 3}} {
		x := unsearched(t, gauged(model.Noted, func(model.Observation) int { return 1 }))
		x.workers = append(x.workers, newSearcher(x, 1))
		for i, s := range x.workers {
			r := &suspect.Reading{Number: 5, At: suspect.Suspect{Key: fingerprint.Print{A: keys[i]}}}
			s.costs = []suspect.Extremes{{Least: r, Most: r}}
		}
		x.takeCosts()
		if got := x.costs[0]; got.Least.At.Key.A != 3 || got.Most.At.Key.A != 3 {
			t.Errorf("keys %v: least %+v, most %+v", keys, got.Least.At, got.Most.At)
		}
	}
}

// Of equal numbers that are read at the end the one with the least state is shown, whichever comes first.
func TestEqualCostsOfWholeRuns(t *testing.T) {
	total := model.Cost{Name: "total", AtEnd: true, Most: 3, Meter: func(*model.System) model.Monitor { return &toThree{} }}
	for _, keys := range [][2]uint64{{3, 9}, {9, 3}} {
		x := explored(t, system(server("s", scripted{})), []model.Claim{total.Claim()}, Options{})
		s, v := x.workers[0], x.traversal.runTo(x.roots[0]).V
		s.costs[0] = suspect.Extremes{}
		for _, key := range keys {
			s.present = fingerprint.Print{A: key}
			s.total(v)
		}
		if got := s.costs[0]; got.Least.At.Key.A != 3 || got.Most.At.Key.A != 3 {
			t.Errorf("keys %v: least %+v, most %+v", keys, got.Least.At, got.Most.At)
		}
	}
}
