package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage/faulty"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// attests is put to the test by a note of one node, or of any, and never broken.
type attests struct{ of, any model.NodeID }

func (a *attests) Observe(w model.Watch, o model.Observation) {
	if o.Node == a.of || o.Node < a.any {
		w.Witness()
	}
}

func attested(of, any model.NodeID) model.Claim {
	return model.Claim{Name: "attested", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &attests{of, any} }}
}

// learned is what a search says that it may have learned long before its end.
func learned(r *Result) string {
	notes := slices.DeleteFunc(slices.Clone(r.Notes), func(n string) bool { return strings.HasPrefix(n, "it went on from") })
	return fmt.Sprint(r.size(), r.Transitions, r.Widths, r.witnessed(), r.reached(), r.Cut, r.spurious(), r.open(), r.Omission, notes)
}

// lately is reached as long as a label is the last that was noted.
type lately struct {
	label mark
	Last  mark
}

func (l *lately) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		l.Last = o.Value.(mark)
	}
}

func (l *lately) Reached() bool { return l.Last == l.label }

// Wherever a search goes on from, it knows what it has met before: what was put to the test, goals, cuts,
// candidates that are none, states in which time cannot go on, groups that are refused, and how many
// orders of servers were tried.
func TestResumedRemembers(t *testing.T) {
	ticking := func(most int, first func(n *scripted, env model.Env), on func(n *scripted, env model.Env, m any)) scripted {
		return scripted{
			start: func(n *scripted, env model.Env) { env.Send(env.Self(), "tick"); first(n, env) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
				if on(n, env, m); m == "tick" && n.S < most {
					n.S++
					env.Send(env.Self(), "tick")
				}
			},
		}
	}
	nothing := func(*scripted, model.Env, any) {}
	early := ticking(6, func(_ *scripted, env model.Env) { env.Note(mark{1}) }, nothing)
	passing := ticking(6, func(_ *scripted, env model.Env) { env.Note(mark{1}) }, func(n *scripted, env model.Env, _ any) {
		if n.S == 0 {
			env.Note(mark{2})
		}
	})
	cut := system(server("s", ticking(6, func(_ *scripted, env model.Env) { env.Send(0, "odd") }, func(n *scripted, _ model.Env, m any) {
		if m == "odd" && n.S == 0 {
			n.Log = []int{1}
		}
	})))
	cut.Cuts = []model.Cut{{Name: "odd", Beyond: func(n model.Node) bool { return len(n.(*scripted).Log) > 0 }}}
	late := system(client("c", scripted{invoke: func(_ *scripted, env model.Env, _ any) {
		switch env.Choose(2) {
		case 0: // the second message is due before the first, which stands before it
			env.Send(1, "slow")
			env.Send(1, "fast")
		case 1:
			env.Send(1, "tick")
		}
		env.Return(nil)
	}}, "go"), server("s", ticking(6, func(*scripted, model.Env) {}, nothing)))
	late.Network.Channel, late.Nodes[0].Script[0].After = model.FIFO, model.Window{}
	late.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		return model.Exactly(map[any]model.Ticks{"slow": 3}[m] + 1)
	}
	told := func(n *scripted, env model.Env) {
		n.Who = []model.NodeID{0, 0, 2, 3, 1, 3, 1, 2}[2*int(env.Self())+env.Choose(2)]
	}
	three := ticking(2, told, func(n *scripted, _ model.Env, m any) { n.Who = 0 })
	for name, c := range map[string]struct {
		s     *model.System
		opt   Options
		claim model.Claim
	}{
		"a witness": {system(server("s", early)), Options{}, attested(0, 9)},
		"a goal": {system(server("s", passing)), Options{}, model.Claim{Name: "1 is noted", Kind: model.Sometimes,
			Monitor: func(*model.System) model.Monitor { return &lately{label: mark{1}} }}},
		"a cut":              {cut, Options{}, never(9)},
		"what is none":       {system(server("s", early)), Options{Confirm: func(Candidate) (Confirmation, error) { return StrictBound, nil }}, never(1)},
		"where time is over": {late, Options{Timed: true}, model.Claim{Name: "done", Done: true}},
		"a group":            {system(server("s", early), server("t", early)), Options{Symmetry: true}, attested(1, 0)},
		"orders":             {system(client("nobody", scripted{}), server("s", three), server("t", three), server("u", three)), Options{Symmetry: true}, never(9)},
	} {
		t.Run(name, func(t *testing.T) {
			want, tried := learned(explore(t, c.s, c.opt, c.claim)), 0
			resumedAnywhere(t, c.s, c.opt, []model.Claim{c.claim}, func(n int, r *Result) {
				if tried++; learned(r) != want {
					t.Errorf("resumed after checkpoint %d: %s; the whole: %s", n, learned(r), want)
				}
			})
			if tried < 4 {
				t.Errorf("it was resumed %d times", tried)
			}
		})
	}
}

// A search that a limit stops in the midst of a layer counts nothing of it twice when it goes on.
func TestStoppedInALayer(t *testing.T) {
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 3}, "mutual exclusion")
	want := learned(explore(t, s, Options{}, claims...))
	for _, most := range []int64{1000, 3000} {
		opt := pure(Options{MaxStates: most, Checkpoint: kept, files: &faulty.FS{}, Identity: []checkpoint.Field{{Name: "check", Value: "stopped"}}})
		r, err := Run(s, claims, opt)
		if err != nil || r.Limit.None() {
			t.Fatal(r, err)
		}
		opt.MaxStates, opt.Resume = 0, true
		if r, err = Run(s, claims, opt); err != nil || learned(r) != want {
			t.Errorf("stopped after %d states: %s, %v; the whole: %s", most, learned(r), err, want)
		}
	}
}

// A checkpoint that another program wrote is refused: its handlers may be others.
func TestAnotherProgram(t *testing.T) {
	defer func(is func() uint64) { program = is }(program)
	s, claims := built(t, ricartagrawala.Protocol, "", model.Config{N: 2}, "mutual exclusion")
	opt := pure(Options{MaxStates: 20, Checkpoint: kept, files: &faulty.FS{}, Identity: []checkpoint.Field{{Name: "check", Value: "another"}}})
	program = func() uint64 { return 1 }
	if _, err := Run(s, claims, opt); err != nil {
		t.Fatal(err)
	}
	opt.MaxStates, opt.Resume = 0, true
	program = func() uint64 { return 2 }
	if _, err := Run(s, claims, opt); err == nil || !strings.Contains(err.Error(), "another build of this program") {
		t.Errorf("it goes on: %v", err)
	}
	program = func() uint64 { return 1 }
	if r, err := Run(s, claims, opt); err != nil || !r.Complete {
		t.Errorf("%+v, %v", r, err)
	}
}
