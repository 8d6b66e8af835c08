package gotest

import (
	"flag"
	"strings"
	"testing"
	"time"

	"contend/checker/search"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/impl/ordering"
	"contend/model"
)

// short makes a test one under -short.
func short(t *testing.T) {
	t.Helper()
	was := flag.Lookup("test.short").Value.String()
	if err := flag.Set("test.short", "true"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Set("test.short", was); err != nil {
			t.Error(err)
		}
	})
}

// large is a system that no search comes to the end of in a few seconds.
var large = model.Config{N: 7, B: 1}.With(model.Clients.Is(3), model.Ops.Is(3))

// Under -short a search ends in time, which is no failure: of a check, and of a mutant.
func TestShortEndsInTime(t *testing.T) {
	short(t)
	x := usual()
	x.short = 300 * time.Millisecond
	t.Chdir(t.TempDir())
	tb := &recorded{TB: t}
	x.check(tb, ordering.Protocol, model.Check{Config: large, Claims: []string{"Theorem 1"}}, mistakes{})
	if all := strings.Join(tb.logs, "\n"); len(tb.errors) > 0 || !strings.Contains(all, "Theorem 1: inconclusive timeout") {
		t.Errorf("errors: %q, logs: %s", tb.errors, all)
	}
	tb = &recorded{TB: t}
	x.mutant(tb, ordering.Protocol, model.Variant{Name: "register", Breaks: "Theorem 1", Show: model.Check{Config: large}}, mistakes{})
	wantOne(t, tb.logs, "mutant register is not caught within what -short allows; in full: go test ")
	if len(tb.errors) > 0 {
		t.Errorf("errors: %q", tb.errors)
	}
}

// Under -short only time is forgiven: other limits fail as ever.
func TestShortForgivesTimeAlone(t *testing.T) {
	row := func(limit string) *verdict.Row {
		return &verdict.Row{Strategy: "exhaustive", Claims: []verdict.ClaimResult{{Name: "a", Verdict: verdict.Inconclusive, Limit: decide.Limited(limit)}}}
	}
	for _, isShort := range []bool{false, true} {
		if isShort {
			short(t)
		} else if testing.Short() {
			continue
		}
		for _, limit := range []string{search.Timeout, "states", "cut", verdict.Stuck} {
			tb := &recorded{TB: t}
			report(tb, ordering.Protocol, row(limit), "", nil)
			if want := !isShort || limit != search.Timeout; want != (len(tb.errors) == 1) {
				t.Errorf("short %v, limit %s: errors: %q", isShort, limit, tb.errors)
			}
		}
	}
}

// brittle is a server whose handler fails at the second message.
type brittle struct{ Got int }

type (
	caller struct{}
	hello  struct{}
)

func (*caller) Invoke(env model.Env, _ any) { env.Send(0, hello{}) }

func (b *brittle) Receive(env model.Env, from model.NodeID, _ any) {
	if b.Got++; b.Got == 2 {
		panic("two")
	}
}

// A handler that fails leaves all claims undecided: it comes first, and they are named in one line.
func TestHandlerThatFailsComesFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	tb := &recorded{TB: t}
	TestCheck(tb, &model.Protocol{
		Name: "brittle",
		Build: func(model.Config) (*model.System, error) {
			s := &model.System{Types: []any{hello{}}, Nodes: []model.NodeSpec{{Name: "s", Role: model.Server, New: func() model.Node { return &brittle{} }}}}
			for _, name := range []string{"c1", "c2"} {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, New: func() model.Node { return &caller{} }, Script: []model.Op{{Call: hello{}}}})
			}
			return s, nil
		},
		Claims: []model.Claim{
			{Name: "few", Invariant: func([]model.Node) error { return nil }},
			{Name: "done", Done: true},
			{Name: "in the end", Kind: model.Eventually, Done: true},
		},
	}, model.Check{})
	if len(tb.errors) != 2 || !strings.HasPrefix(tb.errors[0], "no handler fails is violated: Receive of s") ||
		!strings.HasPrefix(tb.errors[1], "few, done, in the end are undecided: limit failure; to decide them: ") {
		t.Fatalf("errors: %q", tb.errors)
	}
	if !strings.HasPrefix(tb.logs[0], "no handler fails: violated") {
		t.Errorf("logs: %q", tb.logs)
	}
}
