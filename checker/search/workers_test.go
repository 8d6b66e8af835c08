package search

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/impl/backoff"
	"contend/model"
)

// tuned has layers of so many states searched by several workers, and the parents of
// states be exact until there are so many states.
func tuned(t *testing.T, least, exact int64, what func()) {
	t.Helper()
	before, until := atLeast, exactUntil
	defer func() { atLeast, exactUntil = before, until }()
	atLeast, exactUntil = least, exact
	what()
}

// A searching is a search with everything that it shows but how much memory it took.
type searching struct {
	*Result
	tried     []string // candidates in the order in which Confirm was asked about each first
	histories []string // that were judged, sorted
}

// searches goes through a system with a number of workers. Most candidates may turn out
// to be spurious. Of witnesses only those may that rest on an answer of Held, as no other
// shows that a strict bound was met; which of the real ones is found does not matter.
func searches(t *testing.T, s *model.System, claims []model.Claim, opt Options, workers int, spurious bool) searching {
	t.Helper()
	got := searching{}
	opt.Workers = workers
	if spurious {
		opt.Confirm = func(c Candidate) (Confirmation, error) {
			if claims[c.Claim].Kind == model.Sometimes && !(opt.Timed && asksHeld(c.Steps)) {
				return Real, nil
			}
			name := fmt.Sprint(c.Claim, c.Text, c.Steps)
			if !slices.Contains(got.tried, name) {
				got.tried = append(got.tried, name)
			}
			if symmetry.HashBytes([]byte(name))%8 > 0 {
				return StrictBound, nil
			}
			return Real, nil
		}
	}
	if opt.Histories > 0 {
		opt.Judge = func(run Candidate) error { got.histories = append(got.histories, fmt.Sprint(run.Steps)); return nil }
	}
	r := *explore(t, s, opt, claims...)
	if r.Workers != workers {
		t.Fatalf("%d workers search, not %d", r.Workers, workers)
	}
	r.Workers, r.Bytes, r.Profile = 0, 0, nil
	for _, claim := range r.Violated() {
		c := r.Claims[claim].Violated
		for _, messages := range c.InFlight { // as they are pending: in no order
			slices.SortFunc(messages, func(a, b runs.Message) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
	got.Result = &r
	slices.Sort(got.histories)
	return got
}

func asksHeld(steps []runs.Step) bool {
	return slices.ContainsFunc(steps, func(s runs.Step) bool {
		return slices.ContainsFunc(s.Picks, func(p runs.Pick) bool { return p.Held })
	})
}

// A loud is a monitor that the n-th note breaks; its text says which that was.
type loud struct {
	most  int
	Notes int
}

func (l *loud) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Witness()
		if l.Notes = min(l.Notes+1, l.most); l.Notes == l.most {
			w.Violate("%v is noted", o.Value)
		}
	}
}

func quiet(most int) model.Claim {
	return model.Claim{Name: fmt.Sprint("fewer notes than ", most), Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &loud{most: most} }}
}

// young is an invariant over nodes of the three families.
var young = model.Claim{Name: "young", Kind: model.Always, Invariant: func(nodes []model.Node) error {
	sum := int64(0)
	for _, n := range nodes {
		if n == nil {
			continue
		}
		for _, name := range []string{"State", "Request", "Grants", "Phase"} {
			if f := reflect.ValueOf(n).Elem().FieldByName(name); f.IsValid() {
				sum += f.Int()
			}
		}
	}
	if sum > 4 {
		return fmt.Errorf("their states add up to %d", sum)
	}
	return nil
}}

// However many workers there are, and whether parents were exact or had to be found in
// a second search, a search shows the same: counts, witnesses, goals, notes,
// reductions, and the same counterexamples.
func sameOfAllWorkers(t *testing.T, name string, s *model.System, claims []model.Claim, opt Options, spurious bool) *Result {
	t.Helper()
	want := searches(t, s, claims, opt, 1, spurious)
	if !want.Limit.None() {
		return nil
	}
	compare := func(how string, got searching) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s, %+v, %s:\n%+v\n%+v\nnot\n%+v\n%+v", name, opt, how, *got.Result, got.tried, *want.Result, want.tried)
		}
	}
	for _, workers := range []int{1, 2, 5} {
		tuned(t, 1, 1, func() {
			compare(fmt.Sprintf("%d workers, parents not exact", workers), searches(t, s, claims, opt, workers, spurious))
		})
		if workers > 1 {
			tuned(t, 1, 1<<40, func() {
				compare(fmt.Sprintf("%d workers", workers), searches(t, s, claims, opt, workers, spurious))
			})
		}
	}
	return want.Result
}

// So it is for random systems, untimed and timed, with all reductions and with none.
// Without them the counts are those of a walk that shares neither table nor layers with
// the search, and counterexamples are as short as any.
func TestWorkersOnRandomSystems(t *testing.T) {
	compared, violated, channels, faults := map[bool]int{}, 0, map[model.Channel]int{}, map[model.Faults]int{}
	for seed := range uint64(few(40, 24)) {
		s := somewhere(seed)
		claims := []model.Claim{
			quiet(1 + int(seed)%3), young, tells("1 is told", model.Sometimes, 1), tells("2 is told", model.Sometimes, 2),
			{Name: "stops", Kind: model.Always, Done: true},
		}
		if seed%2 == 0 {
			claims = append(claims, never(0)) // so that nothing decides all claims
		}
		opt := Options{Timed: seed/3%2 == 0, MaxStates: 1500}
		whole := sameOfAllWorkers(t, fmt.Sprint("seed ", seed), s, claims, opt, false)
		if whole == nil {
			continue
		}
		r, _ := walked(t, s, claims, opt, 1500, func(*step.Worker, []uint32) {})
		if whole.Complete && (whole.size() != r.size() || !reflect.DeepEqual(whole.Widths, r.widths) || !reflect.DeepEqual(whole.Cut, r.cut)) {
			t.Fatalf("seed %d: %+v, widths %v, cut %v; the walk has %+v, widths %v, cut %v",
				seed, whole.size(), whole.Widths, whole.Cut, r.size(), r.widths, r.cut)
		}
		for claim, steps := range r.broken {
			if c, ok := whole.violation(claim); !ok || len(c.Steps) != steps {
				t.Fatalf("seed %d: %s is violated: %v, after %d steps, but could be after %d", seed, claims[claim].Name, ok, len(c.Steps), steps)
			}
			violated++
		}
		opt.Symmetry, opt.Clients, opt.Stale, opt.Wide = true, true, true, seed%4 == 0
		sameOfAllWorkers(t, fmt.Sprint("seed ", seed), s, claims, opt, seed%4 > 0)
		compared[opt.Timed]++
		channels[s.Network.Channel]++
		faults[s.Faults]++
	}
	t.Logf("compared %v, of which %d claims are violated; %v; %v", compared, violated, channels, faults)
	if min(compared[false], compared[true]) < few(8, 4) || violated < few(13, 5) || len(channels) < 3 || len(faults) < 3 {
		t.Error("too few systems of some kind")
	}
}

// So it is for the protocols and mutants of theirs: a search that one claim ends gives
// the shortest way to break it, all layers above being whole.
func TestWorkersOnProtocols(t *testing.T) {
	lemma := []string{"Lemma 1", "Lemma 1, grants"}
	for _, c := range append(onProtocols,
		onProtocol{backoff.Protocol, "", smallBackoff, Options{Timed: true, Wide: true}, lemma, false},
		onProtocol{backoff.Protocol, "", model.Config{N: 3}.With(backoff.Tries.Is(2)), reducingTimed, lemma[:1], true},
	) {
		c.run(t, func(t *testing.T, name string, claims []model.Claim) {
			s, _ := built(t, c.p, c.variant, c.config, c.claims...)
			r := sameOfAllWorkers(t, name, s, claims, c.opt, false)
			t.Logf("%+v, %d violated", r.size(), len(r.Violated()))
			last := r.Depth + 1 // what breaks a claim is found on the way to the next layer
			if claims[0].Done {
				last = r.Depth
			}
			if len(r.Violated()) == 1 && len(claims) == 1 && len(r.broken(0).Steps) != last {
				t.Errorf("it is violated after %d steps, but the search ended in layer %d", len(r.broken(0).Steps), r.Depth)
			}
		})
	}
}

// A tally adds up notes, and is reached by one sum alone.
type tally struct{ want, Sum int }

func (y *tally) Observe(w model.Watch, o model.Observation) {
	if m, ok := o.Value.(mark); ok {
		y.Sum += m.K
	}
	if y.Sum == y.want {
		w.Witness()
	}
}

func (y *tally) Reached() bool { return y.Sum == y.want }

// What one worker alone comes upon counts: a goal that is reached in one state of a wide
// layer, and the last states of runs, of which the least in it are judged.
func TestWorkersOnAWideLayer(t *testing.T) {
	const nodes = 7
	s := system()
	for i := range nodes {
		s.Nodes = append(s.Nodes, peer(fmt.Sprint("p", i+1), scripted{invoke: func(n *scripted, env model.Env, op any) {
			if op == "one of three" {
				n.S = env.Choose(3)
				env.Note(mark{n.S + 1})
			}
		}}, "one of three"))
	}
	claims := []model.Claim{{Name: "three each", Kind: model.Sometimes,
		Monitor: func(*model.System) model.Monitor { return &tally{want: 3 * nodes} }}}
	for range 1 {
		r := sameOfAllWorkers(t, "a wide layer", s, claims, Options{Histories: 20, Exact: true}, false)
		if r.States != 16384 || r.Histories != 20 || !r.Claims[0].Reached || !r.Claims[0].Witnessed {
			t.Fatalf("%+v", *r)
		}
	}
}

// What is said of a violation is of the step that is shown, where several steps from one
// state break the claim.
func TestTextIsOfTheStep(t *testing.T) {
	for _, numbers := range [][]int{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}} {
		c := explore(t, sends(model.Bag, model.Faults{}, numbers...), Options{}, quiet(1)).broken(0)
		if want := fmt.Sprintf("s: {%v} is noted", c.Steps[0].Value); len(c.Steps) != 1 || c.Text != want {
			t.Errorf("%v: %q, want %q", numbers, c.Text, want)
		}
	}
}

// A fickle is a goal that is reached by one answer, and by two if s1 gave the second.
type fickle struct {
	Answers int
	Last    []model.NodeID
}

func (f *fickle) Observe(_ model.Watch, o model.Observation) {
	f.Answers++
	f.Last = []model.NodeID{o.Value.(won).Who}
}

func (f *fickle) Reached() bool { return f.Answers == 1 || f.Answers == 2 && f.Last[0] == 1 }

// Whether a goal treats servers alike is not asked any more once it is reached, by any
// worker.
func TestReachedGoalsAreNotAsked(t *testing.T) {
	const noises = 7
	answer := scripted{receive: func(_ *scripted, env model.Env, from model.NodeID, m any) { env.Send(from, m) }}
	s := system(client("c", scripted{
		start:   func(_ *scripted, env model.Env) { env.Broadcast([]model.NodeID{1, 2}, 0) },
		receive: func(_ *scripted, env model.Env, from model.NodeID, _ any) { env.Note(won{from}) },
	}), server("s1", answer), server("s2", answer), peer("noise", scripted{ // so that layers are wide
		start: func(_ *scripted, env model.Env) {
			for k := range noises {
				env.Send(3, k)
			}
		},
		receive: func(n *scripted, _ model.Env, _ model.NodeID, m any) { n.S |= 1 << m.(int) },
	}))
	s.Types = append(s.Types, won{})
	goal := model.Claim{Name: "fickle", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &fickle{} }}
	want := searches(t, s, []model.Claim{goal}, Options{Symmetry: true}, 1, false)
	if !want.Claims[0].Reached || !slices.Equal(want.Reductions, []string{"symmetry"}) {
		t.Fatalf("%+v", *want.Result)
	}
	tuned(t, 1, 1, func() {
		for range few(6, 5) {
			if got := searches(t, s, []model.Claim{goal}, Options{Symmetry: true}, 5, false); !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, notes %q; want %+v, notes %q", got.size(), got.Notes, want.size(), want.Notes)
			}
		}
	})
}

// A counterexample is of content: it is the same when every component has another
// number, as it has when another worker was the first to meet it.
func TestCounterexamplesAreOfContent(t *testing.T) {
	claims := []model.Claim{quiet(1), quiet(3), young}
	compare := func(name string, s *model.System, opt Options) int {
		opt.MaxStates = 1000
		x, want, _ := attempts(t, s, claims, opt, func(*explorer) {})
		if !want.Limit.None() {
			return 0
		}
		_, got, _ := attempts(t, s, claims, opt, func(y *explorer) { y.renumber(x) })
		for _, i := range want.Violated() {
			c := want.Claims[i].Violated
			if d := got.broken(i); d.Text != c.Text || !reflect.DeepEqual(d.Steps, c.Steps) {
				t.Fatalf("%s, %s: %s after %+v\nnot\n%s after %+v", name, claims[i].Name, d.Text, d.Steps, c.Text, c.Steps)
			}
		}
		return len(want.Violated())
	}
	violated := compare("sends", sends(model.Bag, model.Faults{}, 1, 2, 3), Options{})
	for seed := range uint64(few(50, 40)) {
		reduce := seed%2 == 0
		violated += compare(fmt.Sprint("seed ", seed), somewhere(seed),
			Options{Timed: seed/3%2 == 0, Symmetry: reduce, Clients: reduce, Stale: reduce})
	}
	if violated < few(33, 25) {
		t.Errorf("only %d claims are violated", violated)
	}
}

// renumber gives the components that another search met their numbers in the opposite
// order.
func (x *explorer) renumber(met *explorer) {
	for _, v := range slices.Backward(met.Values.Items) {
		x.Values.Id(v)
	}
	for _, l := range slices.Backward(met.Locals.Items[1:]) {
		x.Store.Local(l.Slot, []byte(l.Bytes))
	}
	for _, p := range slices.Backward(met.Parts.Items[1:]) {
		b := met.Store.Bases.Items[p.Base]
		b.Value, b.Past = x.Values.Id(met.Values.Items[b.Value]), 0
		p.Base = x.Store.Base(b)
		x.Store.Part(p)
	}
	for _, s := range x.workers {
		s.Refresh()
	}
}

// Whichever worker comes to what is refused, the search is: a cut that panics in one state of many.
func TestAnyWorkerIsRefused(t *testing.T) {
	tuned(t, 1, 1<<40, func() {
		for state := 0; state < 6000; state += 300 {
			s := system(server("s", scripted{start: func(n *scripted, env model.Env) { n.S = 2 * env.Choose(6000); env.Send(env.Self(), 1) },
				receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) { n.S++ }}))
			s.Types = []any{0}
			s.Cuts = []model.Cut{{Name: "one", Beyond: func(n model.Node) bool {
				if n.(*scripted).S == 2*state+1 {
					panic("this one")
				}
				return false
			}}}
			if r, err := Run(s, []model.Claim{never(1)}, pure(Options{Workers: 3, MaxStates: 100_000})); err == nil {
				t.Fatalf("state %d: complete %v, %q", state, r.Complete, r.Limit)
			}
		}
	})
}
