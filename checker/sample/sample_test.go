package sample_test

import (
	"errors"
	"slices"
	"testing"

	"contend/checker/sample"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// only picks claims by name.
func only(t testing.TB, p *model.Protocol, names ...string) []model.Claim {
	t.Helper()
	var claims []model.Claim
	for _, name := range names {
		c, err := p.Claim(name)
		if err != nil {
			t.Fatal(err)
		}
		claims = append(claims, c)
	}
	return claims
}

func run(t testing.TB, s *model.System, claims []model.Claim, opt sample.Options) sample.Result {
	t.Helper()
	r, err := sample.Sample(s, claims, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The claims of the protocols as printed survive sampling, and are put to the test.
// "happened-before order" is not among them, since the protocol as printed breaks
// it: a reply carries no clock. Of the truncated backoff, whose retry values come
// again, only Lemma 1 is.
func TestCorrectProtocolsAreNotFlagged(t *testing.T) {
	mutex := []string{"mutual exclusion", "deadlock freedom"}
	lemma := []string{"Lemma 1", "Lemma 1, grants"}
	for _, c := range []struct {
		name    string
		p       *model.Protocol
		variant string
		config  model.Config
		timed   bool
		claims  []string
	}{
		{"backoff n=1", backoff.Protocol, "", model.Config{N: 1}.With(backoff.Tries.Is(3)), true, lemma},
		{"backoff n=3", backoff.Protocol, "", model.Config{N: 3}.With(backoff.Tries.Is(3), model.Clients.Is(3), model.Ops.Is(2)), true, lemma},
		{"backoff n=3, long delays", backoff.Protocol, "", model.Config{N: 3}.With(model.Delay.Is(3), backoff.Section.Is(2)), true, lemma},
		{"backoff n=6, b=1", backoff.Protocol, "", model.Config{N: 6, B: 1}.With(backoff.Tries.Is(3)), true, lemma},
		{"backoff with faults", backoff.Protocol, "", model.Config{N: 3, Faults: model.Faults{Duplication: 2, Crashes: 1}}, true, lemma},
		{"backoff untimed", backoff.Protocol, "", model.Config{N: 3}, false, lemma[1:]},
		{"backoff truncated", backoff.Protocol, "truncated", model.Config{N: 2}, true, lemma[:1]},
		{"ricart agrawala", ricartagrawala.Protocol, "", model.Config{N: 3}, false, mutex},
		{"ricart agrawala timed", ricartagrawala.Protocol, "", model.Config{N: 4}, true, mutex},
		{"ricart agrawala, tick on receive", ricartagrawala.Protocol, "tick-on-receive", model.Config{N: 3}, false, mutex},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := system(t, c.p, c.variant, c.config)
			r := run(t, s, only(t, c.p, c.claims...), sample.Options{Schedules: 500, Seed: 1, Timed: c.timed})
			for _, f := range r.Violations {
				t.Errorf("%s: %s\n%s", f.Claim, f.Text, sample.Text(s, f.Records, f.Parts))
			}
			for _, name := range c.claims {
				if !r.Witnessed[name] {
					t.Errorf("%s was never put to the test", name)
				}
			}
			if r.Stop != sample.Budget || r.Schedules != 500 || r.Steps == 0 || r.MaxDepth == 0 {
				t.Errorf("result: %+v", r)
			}
		})
	}
}

// These mutants are found at the bounds at which the protocol shows them. The
// others are not for sampling: "lease-short" and "lease-at-least" need a
// coincidence of several exact instants, which among three clients is met about
// once in 10⁵ schedules. "gives-up" and "forgets-queue" are found by runs that end.
func TestMutantsAreFound(t *testing.T) {
	for _, c := range []struct {
		p         *model.Protocol
		mutant    string
		claim     string // the one found, where it is not the one the mutant names
		timed     bool
		schedules int
	}{
		{backoff.Protocol, "lease-delta", "", true, 1000},
		{backoff.Protocol, "tolerates-more", "", true, 1000},
		{backoff.Protocol, "small-quorum", "", true, 1000},
		{backoff.Protocol, "counted-twice", "Lemma 1, grants", true, 2000},
		{backoff.Protocol, "earlier-try", "", false, 5000},
		{backoff.Protocol, "forgetful", "", true, 1000},
		{ricartagrawala.Protocol, "no-tie-break", "", false, 1000},
		{ricartagrawala.Protocol, "defer-on-tie", "", false, 1000},
		{ricartagrawala.Protocol, "one-reply-short", "mutual exclusion", false, 1000},
		{ricartagrawala.Protocol, "forgets-queue", "deadlock freedom", false, 1000},
		{ricartagrawala.Protocol, "clock-not-merged", "", false, 1000},
		{ricartagrawala.Protocol, "always-polite", "", false, 1000},
	} {
		t.Run(c.mutant, func(t *testing.T) {
			v, err := c.p.Variant(c.mutant)
			if err != nil {
				t.Fatal(err)
			}
			if c.claim == "" {
				c.claim = v.Breaks
			}
			s := system(t, c.p, c.mutant, v.Show.Config)
			r := run(t, s, c.p.Claims, sample.Options{Schedules: c.schedules, Seed: 1, Timed: c.timed})
			if !slices.ContainsFunc(r.Violations, func(f sample.Found) bool { return f.Claim == c.claim }) {
				t.Errorf("%s is not found violated in %d schedules: %+v", c.claim, r.Schedules, r)
			}
		})
	}
}

// A schedule runs alone as it ran beside others.
func TestScheduleAlone(t *testing.T) {
	s := system(t, backoff.Protocol, "lease-delta", model.Config{N: 1})
	claims := only(t, backoff.Protocol, "Lemma 1")
	found := func(workers int) sample.Found {
		r := run(t, s, claims, sample.Options{Schedules: 1000, Seed: 3, Timed: true, Workers: workers})
		if len(r.Violations) != 1 {
			t.Fatalf("violations: %v", r.Violations)
		}
		return r.Violations[0]
	}
	alone, beside := found(1), found(4)
	if got, want := sample.Text(s, alone.Records, alone.Parts), sample.Text(s, beside.Records, beside.Parts); got != want {
		t.Errorf("alone\n%sbeside others\n%s", got, want)
	}
	if alone.Schedule != beside.Schedule || !slices.Equal(alone.World.State(), beside.World.State()) {
		t.Error("the schedules or the final states differ")
	}
}

// A violated claim does not stop the others from being sampled; when none is left
// that could be violated, sampling stops.
func TestGoesOnAfterViolation(t *testing.T) {
	s := system(t, backoff.Protocol, "tolerates-more", model.Config{N: 1}.With(backoff.Tries.Is(1)))
	r := run(t, s, backoff.Protocol.Claims, sample.Options{Schedules: 5000, Seed: 1, Timed: true})
	if r.Stop != sample.AllViolated || len(r.Violations) != 2 || r.Schedules >= 5000 {
		t.Errorf("stopped: %s after %d schedules, with %d claims violated", r.Stop, r.Schedules, len(r.Violations))
	}
	if last := max(r.Violations[0].Schedule, r.Violations[1].Schedule); r.Schedules != int64(last)+1 {
		t.Errorf("%d schedules, but the last claim is violated by schedule %d", r.Schedules, last+1)
	}
	if r.Violations[0].Claim != "Lemma 1" || r.Violations[1].Claim != "Lemma 1, grants" {
		t.Error("violations are not in the order of the claims")
	}
	s = system(t, backoff.Protocol, "lease-delta", model.Config{N: 1})
	r = run(t, s, backoff.Protocol.Claims, sample.Options{Schedules: 5000, Seed: 1, Timed: true})
	if r.Stop != sample.Budget || r.Schedules != 5000 {
		t.Errorf("stopped: %s after %d schedules, though a claim holds", r.Stop, r.Schedules)
	}
}

// Cut counts schedules.
func TestCutCountsSchedules(t *testing.T) {
	s := system(t, backoff.Protocol, "", model.Config{N: 2}.With(backoff.Tries.Is(1)))
	r := run(t, s, nil, sample.Options{Schedules: 500, Seed: 1, Timed: true})
	if n := r.Cut["tries"]; n == 0 || n > 500 || n < r.Ends[sample.Cut] {
		t.Errorf("%d of 500 schedules cut; %d ended by it", n, r.Ends[sample.Cut])
	}
}

// Judges see what was observed in each schedule, in order.
func TestJudge(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "always-polite", model.Config{N: 2}.With(model.Ops.Is(1)))
	judge := sample.Judge{Claim: "lock", Check: func(all []model.Observation, complete bool) error {
		inside := 0
		for _, o := range all {
			switch o.Kind {
			case model.Returned:
				inside++
			case model.Released:
				inside--
			}
			if inside > 1 {
				return errors.New("two inside")
			}
		}
		if complete && inside != 0 {
			t.Error("a complete history leaves somebody inside")
		}
		return nil
	}}
	r := run(t, s, nil, sample.Options{Schedules: 1000, Seed: 1, Judges: []sample.Judge{judge}})
	if len(r.Violations) != 1 || r.Violations[0].Claim != "lock" || r.Violations[0].Text != "two inside" {
		t.Errorf("violations: %+v", r.Violations)
	}
}

func TestInterruptAndProgress(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "", model.Config{N: 2})
	interrupt, calls := make(chan struct{}), 0
	r := run(t, s, nil, sample.Options{Schedules: 1000, Interrupt: interrupt, Progress: func(done, steps int64) {
		if calls++; calls == 1 {
			close(interrupt)
		}
	}})
	if r.Stop != sample.Interrupted || calls == 0 || r.Schedules >= 1000 {
		t.Errorf("stopped: %s after %d schedules and %d calls", r.Stop, r.Schedules, calls)
	}
}

// leads is a monitor that is put to the test by notes from a number on.
type leads struct{ from int }

func (l *leads) Observe(w model.Watch, o model.Observation) {
	if n, is := o.Value.(int); is && n >= l.from {
		w.Witness()
	}
}

// A claim is tested by the schedules in which something happens that it is about, and a goal by those that end: here each
// schedule chooses one of four numbers, notes it, and ends unless the number is 3.
func TestTested(t *testing.T) {
	s := &model.System{Nodes: []model.NodeSpec{{Name: "p", Role: model.Peer, Script: []model.Op{{After: model.Anytime()}}, New: func() model.Node { return &chooses{} }}}}
	monitor := func(from int) func(*model.System) model.Monitor {
		return func(*model.System) model.Monitor { return &leads{from: from} }
	}
	r := run(t, s, []model.Claim{
		{Name: "all", Kind: model.Always, Monitor: monitor(0)}, {Name: "half", Kind: model.Always, Monitor: monitor(2)},
		{Name: "none", Kind: model.Always, Monitor: monitor(4)}, {Name: "ends", Kind: model.Eventually, Done: true},
	}, sample.Options{Schedules: 400, Seed: 1})
	if got := r.Tested; got["all"] != 400 || got["half"] < 120 || got["half"] > 280 || got["none"] != 0 || got["ends"] < 200 || got["ends"] >= 400 {
		t.Errorf("tested: %v", got)
	}
	if len(r.Violations) > 0 {
		t.Errorf("violations: %v", r.Violations)
	}
}

// chooses notes one of four numbers, and goes on for ever after the last.
type chooses struct{}

func (*chooses) Invoke(env model.Env, _ any) {
	n := env.Choose(4)
	if env.Note(n); n == 3 {
		env.After("on", model.Exactly(1))
	}
	env.Return(nil)
}

func (*chooses) Timeout(env model.Env, _ any) { env.After("on", model.Exactly(1)) }

// Goals of claims that no run can refute are told when they are reached.
func TestReached(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "", model.Config{N: 2})
	r := run(t, s, ricartagrawala.Protocol.Claims, sample.Options{Schedules: 1, Seed: 1})
	if !r.Reached["every request is granted"] || r.Reached["mutual exclusion"] {
		t.Errorf("reached: %v", r.Reached)
	}
}
