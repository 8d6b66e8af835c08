package check

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"contend/checker/fuzzing"
	"contend/checker/verdict"
	"contend/checker/watch"
	"contend/model"
)

// A sleeper notes that it begins, counts down, and then does what a func says.
type sleeper struct {
	does func()
	S    int
}

func (s *sleeper) Invoke(env model.Env, _ any) { env.Note("it begins"); env.Send(env.Self(), 3) }

func (s *sleeper) Receive(env model.Env, _ model.NodeID, m any) {
	if s.S = m.(int); s.S == 0 {
		s.does()
	}
	env.Send(env.Self(), s.S-1)
}

type listener struct{}

func (*listener) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted {
		w.Violate("it is not silent")
	}
}

func sleeping(does func()) *model.Protocol {
	return &model.Protocol{
		Name: "sleeping",
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{
				{Name: "p", Role: model.Peer, Script: []model.Op{{Call: "go"}}, New: func() model.Node { return &sleeper{does: does} }},
			}}, nil
		},
		Claims: []model.Claim{
			{Name: "done", Kind: model.PossibleFromEverywhere, Done: true},
			{Name: "silent", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &listener{} }},
		},
	}
}

// impatient returns a short patience with handlers.
func impatient(givenUp time.Duration) watch.Patience {
	return watch.Patience{Named: 20 * time.Millisecond, GivenUp: givenUp, Looks: 2 * time.Millisecond}
}

// runsEndless runs a check of a handler that does not return, and returns its rows and the handler that was named. A time-out becomes
// longer until the check reaches the handler in it.
func runsEndless(t *testing.T, how string, c model.Check, timeout time.Duration) ([]*verdict.Row, string) {
	endless := make(chan struct{})
	t.Cleanup(func() { close(endless) }) // lest it go on through the other tests
	told := ""
	interrupt := make(chan struct{})
	opt := verdict.Options{Workers: 1, Interrupt: interrupt, Stuck: func(handler string, _ time.Duration) {
		if told == "" && how == "interrupt" {
			close(interrupt)
		}
		told = handler
	}}
	if how == "timeout" {
		opt.Timeout = timeout
	}
	opt.Patience = impatient(map[bool]time.Duration{true: 100 * time.Millisecond, false: time.Hour}[how == "patience"])
	rows, err := Run(sleeping(func() { <-endless; runtime.Goexit() }), c, opt)
	if err != nil {
		t.Fatal(err)
	}
	if told == "" && how == "timeout" && timeout < time.Minute {
		return runsEndless(t, how, c, 2*timeout)
	}
	return rows, told
}

// A handler that does not return is named, with its node, what it was given and its state, and ends
// the check: by its timeout, by an interrupt, or when patience ends. What was found before stays.
func TestEndlessHandlersAreNamed(t *testing.T) {
	const name = `Receive of p on 0`
	for _, how := range []string{"timeout", "interrupt", "patience"} {
		for _, c := range []model.Check{{}, {Reading: model.Grid}, {Reading: model.Dense}, {Claims: []string{"done"}, Schedules: 8}} {
			t.Run(how+" "+c.Reading.String(), func(t *testing.T) {
				rows, told := runsEndless(t, how, c, 400*time.Millisecond)
				row := rows[0]
				if row.Limit.Code != verdict.Stuck || !strings.Contains(told, name) || !strings.Contains(told, "in state sleeper{1}") {
					t.Errorf("limit %q, told of %q", row.Limit, told)
				}
				if got := row.Claims[0]; got.Verdict != verdict.Inconclusive || got.Limit.Code != verdict.Stuck || !strings.Contains(got.Text, name) {
					t.Errorf("%+v", got)
				}
				if got := row.Claims[len(row.Claims)-1]; c.Schedules == 0 && (got.Verdict != verdict.Violated || got.Counterexample == nil) {
					t.Errorf("what was found before is lost: %+v", got)
				}
			})
		}
	}
}

// So is one that a fuzz target without go test runs into.
func TestEndlessHandlersOfInputs(t *testing.T) {
	endless := make(chan struct{})
	t.Cleanup(func() { close(endless) })
	p := sleeping(func() { <-endless; runtime.Goexit() })
	p.Claims = p.Claims[:1]
	p.Checks = []model.Check{{}}
	is := fuzzing.Target{Protocol: p, Patience: impatient(100 * time.Millisecond)}.Inputs(1, 1000, nil, nil)
	var stuck watch.Endless
	if !errors.As(is.Err, &stuck) || !strings.Contains(stuck.Handler, `Receive of p on 0`) {
		t.Errorf("the error is %v", is.Err)
	}
}

// A handler that ends its goroutine takes no verdict with it, nor the process.
func TestGoexitIsRefused(t *testing.T) {
	for _, c := range []model.Check{{Claims: []string{"done"}}, {Claims: []string{"done"}, Schedules: 40}} {
		for _, workers := range []int{1, 2} {
			_, err := Run(sleeping(runtime.Goexit), c, verdict.Options{Workers: workers})
			if err == nil || !strings.Contains(err.Error(), "a handler leaves its goroutine, by runtime.Goexit") {
				t.Errorf("%+v, %d workers: error %v", c, workers, err)
			}
		}
	}
}
