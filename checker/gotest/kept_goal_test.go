package gotest

import (
	"slices"
	"strings"
	"testing"

	"contend/model"
)

// A waiter may not answer at once. It does so later if it has patience.
type waiter struct{ patient bool }

func (w *waiter) Invoke(env model.Env, _ any) {
	if env.Choose(2) == 0 {
		env.Return(nil)
	} else if w.patient {
		env.After(0, model.Anytime())
	}
}

func (w *waiter) Timeout(env model.Env, _ any) { env.Return(nil) }

func waiting(kind model.Kind, patient bool) *model.Protocol {
	return &model.Protocol{
		Name: "waiting", Title: "a node that waits", Source: "none",
		Claims: []model.Claim{{Name: "done", Kind: kind, Source: "none", Done: true}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{0}, Nodes: []model.NodeSpec{{
				Name: "w", Script: []model.Op{{Call: 0}}, New: func() model.Node { return &waiter{patient} },
			}}}, nil
		},
	}
}

// A kept run that has not come to a goal keeps nobody from searching again once it goes on: what it
// ended in is no end any more.
func TestKeptRunThatGoesOn(t *testing.T) {
	for kind, says := range map[model.Kind]string{
		model.Eventually:             "passes: it is a run that does not break done any more",
		model.PossibleFromEverywhere: "only a search decides whether it can",
	} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			tb := &recorded{TB: t}
			TestCheck(tb, waiting(kind, false), model.Check{})
			wantOne(t, tb.errors, "done is violated", "kept in ")
			tb = &recorded{TB: t}
			TestCheck(tb, waiting(kind, false), model.Check{})
			if len(tb.errors) != 1 {
				t.Errorf("the bug is still there: %q", tb.errors)
			}
			tb = &recorded{TB: t}
			TestCheck(tb, waiting(kind, true), model.Check{})
			if len(tb.errors) > 0 || !strings.Contains(strings.Join(tb.logs, "\n"), says) {
				t.Errorf("it is mended: %q, %q", tb.errors, tb.logs)
			}
		})
	}
}

// A poller looks for an answer again and again. It gets one if it asked for it.
type poller struct{ asks bool }

func (p *poller) Invoke(env model.Env, _ any) {
	env.After("poll", model.Anytime())
	if p.asks {
		env.After("answer", model.Anytime())
	}
}

func (p *poller) Timeout(env model.Env, key any) {
	if key == "poll" {
		env.After("poll", model.Anytime())
		return
	}
	env.Cancel("poll")
	env.Return(nil)
}

func polling(asks bool) *model.Protocol {
	p := waiting(model.Eventually, false)
	p.Build = func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Types: []any{0, ""}, Nodes: []model.NodeSpec{{
			Name: "p", Script: []model.Op{{Call: 0}}, New: func() model.Node { return &poller{asks} },
		}}}, nil
	}
	return p
}

// A kept loop that is not fair any more, since it leaves out what the fix added, does not break its claim.
func TestKeptLoopThatIsUnfair(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 { // it is found, and then replayed
		tb := &recorded{TB: t}
		TestCheck(tb, polling(false), model.Check{})
		if len(tb.errors) != 1 {
			t.Fatalf("the bug is there: %q", tb.errors)
		}
	}
	tb := &recorded{TB: t}
	TestCheck(tb, polling(true), model.Check{})
	if len(tb.errors) > 0 || !strings.Contains(strings.Join(tb.logs, "\n"), "passes: it is a run that does not break done any more") {
		t.Errorf("it is mended: %q, %q", tb.errors, tb.logs)
	}
}

// A blinker notes 0 for ever, unless it chooses to note 1 at last.
type blinker struct{}

func (*blinker) Invoke(env model.Env, _ any) { env.After(0, model.Anytime()) }
func (*blinker) Timeout(env model.Env, _ any) {
	if env.Choose(2) == 1 {
		env.Note(1)
		return
	}
	env.Note(0)
	env.After(0, model.Anytime())
}

// lit has its goal after a note of 1, and in the states that it looks for.
type lit struct {
	On, Out bool
	Looks   []bool
}

func (l *lit) Observe(_ model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		l.On, l.Out = !l.On, o.Value == 1
	}
}
func (l *lit) Reached() bool { return l.Out || slices.Contains(l.Looks, l.On) }

// A kept loop on which the goal is reached does not break its claim.
func TestKeptLoopThatReachesItsGoal(t *testing.T) {
	t.Chdir(t.TempDir())
	blinking := func(looks ...bool) *model.Protocol {
		p := waiting(model.Eventually, false)
		p.Claims[0].Done, p.Claims[0].Monitor = false, func(*model.System) model.Monitor { return &lit{Looks: looks} }
		p.Build = func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{0}, Nodes: []model.NodeSpec{{
				Name: "b", Script: []model.Op{{Call: 0}}, New: func() model.Node { return &blinker{} },
			}}}, nil
		}
		return p
	}
	tb := &recorded{TB: t}
	TestCheck(tb, blinking(), model.Check{})
	if len(tb.errors) != 1 {
		t.Fatalf("the bug is there: %q", tb.errors)
	}
	for _, on := range []bool{true, false} { // the loop begins in one of the two, and passes through the other
		tb = &recorded{TB: t}
		TestCheck(tb, blinking(on), model.Check{})
		if len(tb.errors) > 0 || !strings.Contains(strings.Join(tb.logs, "\n"), "passes: it is a run that does not break done any more") {
			t.Errorf("it is mended: %q, %q", tb.errors, tb.logs)
		}
	}
}
