package search

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"contend/checker/sample"
	"contend/model"
)

// misusing is a monitor that misuses what it is given.
type misusing struct {
	use func(w model.Watch)
	S   int
}

func (m *misusing) Observe(w model.Watch, _ model.Observation) { m.use(w) }
func (m *misusing) Reached() bool                              { return false }

func misuses(kind model.Kind, use func(w model.Watch)) model.Claim {
	return model.Claim{Name: "m", Kind: kind, Monitor: func(*model.System) model.Monitor { return &misusing{use: use} }}
}

// What a handler, a monitor or a node's New is refused for, the search and the sampler, which
// rests on the interpreter, say in the same sentence.
func TestRefusalsAreTheSame(t *testing.T) {
	does := func(use func(n *scripted, env model.Env)) *model.System {
		s := invoked(func(n *scripted, env model.Env, _ any) { use(n, env) })
		s.Types = append(s.Types, list{})
		return s
	}
	starts := func(use func(n *scripted, env model.Env)) *model.System {
		return system(server("p", scripted{start: use}))
	}
	bad := model.Between(2, 1)
	windows := does(func(_ *scripted, env model.Env) { env.Send(0, 1) })
	windows.Network.Messages = func(model.NodeID, model.NodeID, any) model.Window { return bad }
	cut := starts(func(n *scripted, _ model.Env) { n.S = 7 })
	cut.Cuts = []model.Cut{{Name: "seven", Beyond: func(n model.Node) bool { return n.(*scripted).S == 7 }}}
	random := does(func(*scripted, model.Env) {})
	random.Nodes[0].New = func() model.Node { return &scripted{S: rand.Int()} }
	quiet := does(func(*scripted, model.Env) {})
	calls := 0
	var kept model.Env
	var watch model.Watch
	for _, c := range []struct {
		name  string
		s     *model.System
		claim model.Claim
		error string // where it does not depend on the run
	}{
		{"nobody to send to", does(func(_ *scripted, env model.Env) { env.Send(-1, 1) }), never(9), "node p sends to node -1, which does not exist"},
		{"a bad window of a message", windows, never(9),
			"node p sends int to p, for which Network.Messages gives a bad window: window [2, 1]: the upper bound is below the lower"},
		{"a bad alarm", does(func(_ *scripted, env model.Env) { env.After(1, bad) }), never(9),
			"node p arms an alarm: window [2, 1]: the upper bound is below the lower"},
		{"too long a hold", does(func(_ *scripted, env model.Env) { env.Hold(1, model.Through(model.MaxTicks+1)) }), never(9),
			"node p holds for 1073741825 ticks, but a hold lasts 0 to 1073741824"},
		{"a choice among none", does(func(_ *scripted, env model.Env) { env.Choose(0) }), never(9), "a handler chooses among 0, but may among 1 to 65536"},
		{"a choice among too many", does(func(_ *scripted, env model.Env) { env.Choose(1<<16 + 1) }), never(9), "a handler chooses among 65537, but may among 1 to 65536"},
		{"a draw among too many", does(func(_ *scripted, env model.Env) { env.Draw(1 << 32) }), never(9), "a handler chooses among 4294967296, but may among 1 to 65536"},
		{"Start beyond a cut", cut, never(9), "node p: Start leads beyond a cut"},
		{"a second return", does(func(_ *scripted, env model.Env) { env.Return(1); env.Return(2) }), never(9), "node p returns, but no invocation runs"},
		{"an unlisted type", does(func(_ *scripted, env model.Env) { env.Note(unlisted{}) }), never(9),
			"type search.unlisted is used as a message, key, result, state of an object or other interface value, but System.Types does not list it"},
		{"an Env that is kept", does(func(_ *scripted, env model.Env) {
			if kept == nil {
				kept = env
			}
			kept.Note(1)
		}), never(9), "node p uses its Env after the handler that it was given to has returned (search/misuse_test.go:75)"},
		{"a monitor's alarm", quiet, misuses(model.Always, func(w model.Watch) { w.After(1, bad) }),
			"claim m arms an alarm: window [2, 1]: the upper bound is below the lower"},
		{"a monitor's hold", quiet, misuses(model.Always, func(w model.Watch) { w.Hold(1, model.Below(-1)) }),
			"claim m holds for -1 ticks, but a hold lasts 0 to 1073741824"},
		{"a goal's violation", quiet, misuses(model.Sometimes, func(w model.Watch) { w.Violate("no") }),
			"the monitor of claim m calls Violate, but a claim of kind sometimes is violated by its goal alone"},
		{"a Watch that is kept", does(func(_ *scripted, env model.Env) { env.Note(1) }), misuses(model.Always, func(w model.Watch) {
			if watch == nil {
				watch = w
			}
			watch.Witness()
		}), "claim m uses its Env after the handler that it was given to has returned (search/misuse_test.go:87)"},
		{"a random New", random, never(9), ""},
		{"a state that differs", does(func(n *scripted, _ model.Env) { calls++; n.S = calls }), never(9), ""},
		{"effects that differ", does(func(_ *scripted, env model.Env) { calls++; env.Note(calls) }), never(9),
			"Invoke of *search.scripted is not deterministic: two runs on the same state differ in its effects"},
		{"choices that differ", does(func(_ *scripted, env model.Env) { calls++; env.Choose(2 + calls%2) }), never(9),
			"Invoke of *search.scripted is not deterministic: two runs on the same state differ in its choices"},
		{"a configuration that is changed", madeBy(&configured{cfg: &settings{1}}), never(9),
			"Receive of *search.configured changes its configuration: unexported fields must stay as they were made, and the fields that are state must be exported"},
		{"a message that is changed", greeted(func(_ *scripted, _ model.Env, _ model.NodeID, m any) { m.(list).Items[0] = 2 }), never(9),
			"Receive of *search.scripted changes the value it was given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := []model.Claim{c.claim}
			kept, watch = nil, nil
			found, err := Run(c.s, claims, Options{})
			searched := said(err, func() string { return found.broken(len(claims)).Text })
			kept, watch = nil, nil
			violated, err := sample.Sample(unfinished(c.s), claims, sample.Options{Schedules: 100, Workers: 1})
			sampled := said(err, func() string { return violated.Violations[0].Text })
			if searched == nil || sampled == nil {
				t.Fatalf("the search says %v, the sampler %v", searched, sampled)
			}
			if got := numbers.ReplaceAllString(searched.Error(), "N"); got != numbers.ReplaceAllString(sampled.Error(), "N") {
				t.Errorf("the search says\n%v, the sampler\n%v", searched, sampled)
			}
			if c.error != "" && searched.Error() != c.error {
				t.Errorf("the search says\n%v, not\n%s", searched, c.error)
			}
		})
	}
}

// said is what was said of a system: in an error, or of how a handler fails, without the handler
// and the line.
func said(err error, fails func() string) error {
	if err != nil {
		return err
	}
	_, text, _ := strings.Cut(fails(), ": ")
	text, _, _ = strings.Cut(text, " (search/")
	return errors.New(text)
}

// numbers are what a random New or a counter makes of a state.
var numbers = regexp.MustCompile(`\d+`)

// unfinished adds an application that never gets done, so that schedules go on.
func unfinished(s *model.System) *model.System {
	more := *s
	more.Nodes = append(slices.Clone(s.Nodes), client("waiting", scripted{}, 1))
	return &more
}

// A handler that leaves its goroutine is refused, whichever worker runs it.
func TestWorkersThatLeave(t *testing.T) {
	x := unsearched(t, never(1))
	x.workers = append(x.workers, newSearcher(x, 1))
	defer func() {
		if p, is := recover().(model.Refused); !is || !strings.Contains(p.Text, "runtime.Goexit") {
			t.Errorf("%v", p)
		}
		if !x.stop.Load() {
			t.Error("the others do not stop")
		}
	}()
	x.inParallel(true, func(s *searcher) {
		if s.number == 1 {
			runtime.Goexit()
		}
	})
}
