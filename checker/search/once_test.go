package search

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"contend/checker/judge"
	"contend/checker/search/decide"
	"contend/checker/search/fingerprint"
	"contend/checker/search/runs"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
	"contend/checker/search/suspect"
	"contend/model"
	"contend/model/value"
)

// Of each claim the interpreter is asked as often as it has to be: until one witness is real, or as many candidates as are tried were not.
func TestTheInterpreterIsAskedNoMoreThanItMustBe(t *testing.T) {
	withoutOtherGrids(t)
	s := system(server("s", scripted{start: func(n *scripted, env model.Env) {
		if n.S = env.Choose(6); n.S > 0 {
			env.Note(mark{1})
		}
	}}))
	small := model.Claim{Name: "small", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*scripted).S > 0 {
			return errors.New("it is large")
		}
		return nil
	}}
	for real, want := range map[int][2]int{0: {1, 1}, 1: {2, 2}, 2: {2, 2}, 9: {2, 2}} { // of the claim, and of the goal
		var tried [2]int
		r := explore(t, s, Options{MaxSpurious: 2, Confirm: func(c Candidate) (Confirmation, error) {
			if c.Alone {
				return StrictBound, nil
			}
			if tried[c.Claim]++; tried[c.Claim] > real {
				return Real, nil
			}
			return StrictBound, nil
		}}, small, reach(model.Sometimes, 1))
		if tried != want || r.Spurious[0] != min(real, 2) || r.Spurious[1] != min(real, 2) {
			t.Errorf("%d are spurious: asked %v times, not %v; spurious %v", real, tried, want, r.Spurious)
		}
	}
}

// A run that ends in a handler that fails tells nothing of what it comes to.
func TestFailuresCutARunShort(t *testing.T) {
	s := counting(5)
	s.Nodes[0].New = func() model.Node {
		return &scripted{
			invoke:  func(_ *scripted, env model.Env, _ any) { env.Send(0, 1) },
			receive: func(*scripted, model.Env, model.NodeID, any) { panic("it fails") },
		}
	}
	c, fails := explore(t, s, Options{}, never(1)).Violated[1]
	if !fails || c.Nodes != nil || len(c.Steps) != 2 || len(c.InFlight) != 2 {
		t.Errorf("%d steps, %d nodes, in flight %v", len(c.Steps), len(c.Nodes), c.InFlight)
	}
	if c := explore(t, counting(3), Options{}, never(1)).Violated[0]; len(c.Nodes) != 1 || len(c.InFlight) != 1+len(c.Steps) {
		t.Errorf("of a run without a failure: %d steps, %d nodes, in flight %v", len(c.Steps), len(c.Nodes), c.InFlight)
	}
}

// Where Forge fails nothing is forged: that it fails is a failure of the state.
func TestForgeFails(t *testing.T) {
	s := system(peer("p", scripted{invoke: func(n *scripted, env model.Env, _ any) { n.S = 1 }}, "go"), model.NodeSpec{Name: "b", Role: model.Server, Byzantine: true})
	s.Forge = func(n model.Node, _, _ model.NodeID) []any {
		if n.(*scripted).S == 1 {
			panic("what should it say")
		}
		return nil
	}
	r := explore(t, s, Options{}, never(1))
	if c := r.Violated[1]; len(r.Violated) != 1 || len(c.Steps) != 1 || !strings.HasPrefix(c.Text, "Forge") || !strings.Contains(c.Text, "what should it say") || r.Undecided[0] != Failure {
		t.Errorf("violated %+v, undecided %v", r.Violated, r.Undecided)
	}
}

// A round that never reaches the goal need not let time pass: the claim is open.
func TestEventuallyInRoundsThatTakeNoTime(t *testing.T) {
	s := pingPong(false, false)
	s.Network.Delay = model.Between(0, 1)
	if got := explore(t, s, Options{Timed: true}, reach(model.Eventually, 1)).verdict(0); got != (verdict{undecided: decide.TimedRound}) {
		t.Errorf("%+v", got)
	}
}

// A run that violates a claim of what can come says from which step on it cannot, and what its monitor put to the test counts though the goal
// is reached from the beginning.
func TestWhatCanComeIsTold(t *testing.T) {
	if c := explore(t, chooser(), Options{}, reach(model.PossibleFromEverywhere, 1)).Violated[0]; c.NoReturn == nil || c.NoReturn.After != 1 || c.NoReturn.Unknown != "" || c.NoReturn.AtLatest {
		t.Errorf("%+v", c.NoReturn)
	}
	at := system(peer("p", scripted{start: func(_ *scripted, env model.Env) { env.Note(mark{1}) }}))
	if r := explore(t, at, Options{}, reach(model.Eventually, 1)); r.verdict(0) != holds || !r.Witnessed[0] {
		t.Errorf("%+v, put to the test %v", r.verdict(0), r.Witnessed[0])
	}
}

// A server that is down and can come back has not stopped: what waits for it is not stuck.
func TestADownServerThatComesBack(t *testing.T) {
	s := system(client("c", scripted{
		invoke: func(n *scripted, env model.Env, _ any) { n.S = 1; env.Send(1, "go") },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			switch {
			case n.S == 1 && m == "up":
				env.Send(1, "go")
			case n.S == 1:
				n.S = 2
				env.Return(nil)
			}
		},
	}, "go"), server("s", scripted{
		start:   func(_ *scripted, env model.Env) { env.Send(0, "up") },
		receive: func(_ *scripted, env model.Env, from model.NodeID, _ any) { env.Send(from, "done") },
	}))
	s.Types = append(s.Types, "")
	s.Faults.Restarts = 1
	done := model.Claim{Name: "done", Kind: model.Always, Done: true}
	if got := explore(t, s, Options{}, done).verdict(0); got != holds {
		t.Errorf("%+v", got)
	}
	s.Faults, s.Nodes[0].Crash, s.Nodes[1].Crash = model.Faults{Crashes: 1}, model.NoCrashes, model.CrashStop
	if got := explore(t, s, Options{}, done).verdict(0); got != refuted {
		t.Errorf("without a restart: %+v", got)
	}
}

// In dense time, too, a search that goes on for another claim tells of the violation meanwhile.
func TestViolationsInDenseTimeAreTold(t *testing.T) {
	told := 0
	r := explore(t, endless(), Options{Timed: true, Dense: true, MaxStates: 200, Violated: func(claim int) {
		if told++; claim != 0 {
			t.Errorf("claim %d is violated", claim)
		}
	}}, never(2), never(1<<30))
	if told == 0 || r.verdict(0) != refuted {
		t.Errorf("told %d times: %+v", told, r.verdict(0))
	}
}

// A history that cannot be judged leaves the claims that histories are judged for without a verdict, and no others; no further one is judged.
func TestHistoriesThatCannotBeJudged(t *testing.T) {
	claims := append(judge.Watched([]model.Claim{{Name: "lock", Kind: model.Linearizable, Object: mutex}}), never(1), judge.Watched([]model.Claim{{Name: "again", Kind: model.Linearizable, Object: mutex}})[0])
	judged := 0
	r := explore(t, locked(false), Options{Histories: 9, Judge: func(Candidate) error { judged++; return errors.New("they differ") }}, claims...)
	if judged != 1 || r.Histories != 0 || len(r.Disputed) != 2 || !strings.Contains(r.Disputed[0], "they differ") || !strings.Contains(r.Disputed[2], "they differ") {
		t.Errorf("%d judged, disputed %v", judged, r.Disputed)
	}
}

// On another grid the interpreter is asked about the claim alone; that it disagrees there, or that handlers are refused, leaves it without a
// verdict.
func TestDisagreementsOnAnotherGrid(t *testing.T) {
	for _, how := range []string{"none", "disagreement", "refusal"} {
		wild := 0 // how many calls of the handler are not like others
		s := system(server("s", scripted{start: func(n *scripted, env model.Env) {
			if n.S = env.Choose(3); n.S == 2 {
				panic("it fails")
			}
			if n.S == 1 {
				env.Note(mark{1})
			}
			if wild > 0 {
				wild--
				n.S = 7
			}
		}}))
		r := explore(t, s, Options{MaxSpurious: 1, Confirm: func(c Candidate) (Confirmation, error) {
			switch {
			case strings.Contains(c.Text, "it fails"):
				if c.Alone || c.Claim != 1 {
					t.Errorf("%s: asked about claim %d: %s", how, c.Claim, c.Text)
				}
				return Real, nil
			case !c.Alone:
				if how == "refusal" {
					wild = 1
				}
				return StrictBound, nil
			case how == "disagreement":
				return Unknown, errors.New("it is no run")
			}
			return Real, nil
		}}, never(1))
		if _, violated := r.Violated[0]; violated != (how == "none") || (r.Disputed[0] == "") != (how == "none") {
			t.Errorf("%s: violated %v, disputed %v", how, violated, r.Disputed)
		}
	}
}

// Where a limit stops the search a claim is not looked at on another grid: nothing that is found there would decide it.
func TestStoppedSearchesAreNotRefined(t *testing.T) {
	s := beating(model.By(1), model.Window{Hi: model.Below(2)}, func(model.Env) {})
	claim := reach(model.PossibleFromEverywhere, 1)
	whole := explore(t, s, Options{Timed: true}, claim)
	if !refinedIs(whole.Notes, claim.Name) {
		t.Errorf("of a whole search: notes %q", whole.Notes)
	}
	if r := explore(t, s, Options{Timed: true, MaxStates: whole.States / 2}, claim); r.Complete || refinedIs(r.Notes, claim.Name) {
		t.Errorf("complete %v, notes %q", r.Complete, r.Notes)
	}
}

// Of equal numbers that parts measured in one layer the one with the least state is shown, whichever part has it.
func TestEqualCostsOfParts(t *testing.T) {
	at := func(key uint64, part int) summary {
		r := &suspect.Reading{Number: 5, At: suspect.Suspect{Key: fingerprint.Print{A: key}, Text: fmt.Sprint("part ", part)}}
		return summary{Costs: []suspect.Extremes{{Least: r, Most: r}}}
	}
	for _, keys := range [][2]uint64{{3, 9}, {9, 3}} {
		x := unsearched(t, gauged(model.Noted, func(model.Observation) int { return 1 }))
		x.parts = &company{x: x, of: 3, sums: []summary{{}, at(keys[0], 1), at(keys[1], 2)}}
		x.takeCosts()
		if got := x.costs[0]; got.Least.At.Key.A != 3 || got.Most.At.Key.A != 3 {
			t.Errorf("keys %v: least %+v, most %+v", keys, got.Least.At, got.Most.At)
		}
	}
}

// historian is a node that is known by its history.
type historian struct{ scripted }

func (*historian) Histories(*value.Codec) []byte         { return nil }
func (*historian) Recall(c *value.Codec, history []byte) {}

// A system with a node that is known by its history has one process, unless it is a liar in its place.
func TestNodesWithHistoriesHaveOneProcess(t *testing.T) {
	spec := model.NodeSpec{Name: "h", Role: model.Server, New: func() model.Node { return &historian{} }}
	for _, liar := range []bool{false, true} {
		spec.Byzantine = liar
		why := (&Options{}).inOneProcess(system(server("s", scripted{}), spec), []model.Claim{never(1)})
		if (why == "") != liar || !liar && !strings.Contains(why, "node h is known by its history") {
			t.Errorf("a liar %v: %q", liar, why)
		}
	}
}

// A search that cannot be made is refused before it begins.
func TestRefusedBeforeItBegins(t *testing.T) {
	twice := counting(1)
	twice.Faults.Duplication = 1
	for says, opt := range map[string]Options{
		"duplication: ": {Timed: true, Dense: true},
		"from: ":        {Timed: true, From: &runs.Beginning{}},
		"parts: ":       {Draw: true, Exchange: end{}},
	} {
		if r, err := Run(twice, []model.Claim{never(1)}, pure(opt)); r != nil || err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s%v", says, err)
		}
	}
}

// A checkpoint stays until the next one is written, whatever else is left behind; and it is written each minute unless another time is asked for.
func TestTheCheckpointStays(t *testing.T) {
	disk := &faulty.FS{}
	opt := Options{files: disk, Checkpoint: kept, MaxStates: 20}
	explore(t, turning(), opt, never(1))
	opt.Resume = true
	for try := range 3 {
		d, err := storage.Keep(disk, kept)
		if err != nil {
			t.Fatal(err)
		}
		from, err := opt.takeUp(d)
		if d.Close(); err != nil || from == nil {
			t.Errorf("try %d: %v", try, err)
		}
	}
	for asked, want := range map[time.Duration]time.Duration{0: time.Minute, time.Hour: time.Hour} {
		o := Options{files: &faulty.FS{}, Checkpoint: kept, Every: asked}
		d, _, err := o.directory()
		if err != nil || o.every != want {
			t.Errorf("asked for %v: every %v, %v", asked, o.every, err)
		}
		d.Close()
	}
}
