package vet_test

import (
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"contend/checker"
	"contend/checker/vet"
	"contend/checker/vet/testdata/impure"
	"contend/model"
)

var full = flag.Bool("full", false, "run the command, too")

// repository is the directory of go.mod, in which analysistest finds package model.
const repository = "../.."

// Each line that is marked in the test data is reported, and no other.
func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, repository, vet.Analyzer, "./checker/vet/testdata/impure", "./checker/vet/testdata/pure")
}

// The command, as go vet runs it, is silent on the suite, and is not on what is impure.
func TestCommand(t *testing.T) {
	if !*full {
		t.Skip("builds a command, and has it look through the standard library: -full")
	}
	tool := filepath.Join(t.TempDir(), "contend-vet")
	run := func(args ...string) (string, error) {
		c := exec.Command("go", args...)
		c.Dir = repository
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run("build", "-o", tool, "./cmd/contend-vet"); err != nil {
		t.Fatal(out)
	}
	if out, err := run("vet", "-vettool="+tool, "./impl/backoff", "./checker/verify/starter"); err != nil {
		t.Errorf("of the suite it says: %s", out)
	}
	out, err := run("vet", "-vettool="+tool, "./checker/vet/testdata/impure")
	if want := "forbidden.go:18:14: Receive of Clock reads a clock: time.Now\n"; err == nil || !strings.Contains(out, want) {
		t.Errorf("it says %s, want %s", out, want)
	}
}

// asker sends pings to node 0, and returns at the first answer.
type asker struct{ Waiting bool }

func (a *asker) Invoke(env model.Env, _ any) {
	a.Waiting = true
	env.Send(0, impure.Ping{Names: []string{"b", "a"}, Table: map[string]int{"a": 1, "b": 2, "c": 1}})
}

func (a *asker) Receive(env model.Env, _ model.NodeID, _ any) {
	if a.Waiting {
		env.Return(nil)
	}
	a.Waiting = false
}

// asked is a system of a node that two others ask, with a monitor of a claim.
func asked(node func() model.Node, monitor func() model.Monitor, kind model.Kind) *model.Protocol {
	return &model.Protocol{
		Name: "asked",
		Build: func(c model.Config) (*model.System, error) {
			client := model.NodeSpec{Role: model.Client, New: func() model.Node { return &asker{} }, Script: []model.Op{{Call: 1}, {Call: 1}}}
			s := &model.System{Config: model.Config{N: 1}, Network: model.Network{Delay: model.By(1)}, Types: []any{impure.Ping{}, impure.Pong{}, 0}}
			s.Nodes = []model.NodeSpec{{Name: "asked", Role: model.Server, New: node}, client, client}
			s.Nodes[1].Name, s.Nodes[2].Name = "c1", "c2"
			return s, nil
		},
		Claims: []model.Claim{{Name: "claim", Kind: kind, Monitor: func(*model.System) model.Monitor { return monitor() }}},
	}
}

// quiet is a monitor that finds nothing.
type quiet struct{}

func (quiet) Observe(w model.Watch, _ model.Observation) { w.Witness() }

// What the analyzer reports the search finds out, too, where a second run of the handler shows it.
func TestSearchFindsOut(t *testing.T) {
	const differs, reconfigured = "is not deterministic", "changes its configuration"
	for _, c := range []struct {
		name  string
		node  func() model.Node
		want  string // in what the search says
		never string // why the search cannot find it out
	}{
		{"clock", func() model.Node { return &impure.Clock{} }, differs, ""},
		{"clock, in a function", func() model.Node { return &impure.Helped{} }, differs, ""},
		{"clock, behind an interface", func() model.Node { return &impure.Hidden{} }, differs, ""},
		{"clock, in a method", func() model.Node { return &impure.Exposed{} }, differs, ""},
		{"clock, at boot", func() model.Node { return &impure.Started{} }, differs, ""},
		{"sleep", func() model.Node { return &impure.Sleeper{} }, "", "it takes longer, and does the same"},
		{"random", func() model.Node { return &impure.Random{} }, differs, ""},
		{"goroutine", func() model.Node { return &impure.Goroutine{} }, "", "it does the same each time"},
		{"channel", func() model.Node { return &impure.Ranging{} }, "", "it does the same each time"},
		{"select", func() model.Node { return &impure.Selecting{} }, differs, ""},
		{"lock", func() model.Node { return &impure.Locking{} }, "", "it does the same each time"},
		{"process", func() model.Node { return &impure.Process{} }, "", "it is the same in all of a process"},
		{"global, written", func() model.Node { return &impure.Counting{} }, differs, ""},
		{"global, pointed to", func() model.Node { return &impure.Caching{} }, differs, ""},
		{"global, by a method", func() model.Node { return &impure.Tallying{} }, differs, ""},
		{"global, read", func() model.Node { return &impure.Limited{} }, "", "nobody writes it during the search"},
		{"memo", func() model.Node { return &impure.Memoing{} }, "", "what the first caller came to is kept"},
		{"memo, of package sync", func() model.Node { return &impure.Storing{} }, "", "what the first caller came to is kept"},
		{"memo, of once", func() model.Node { return &impure.Once{} }, "", "what the first caller came to is kept"},
		{"global, by a method of what it points to", func() model.Node { return &impure.Pointing{} }, differs, ""},
		{"global, by another name", func() model.Node { return &impure.Aliasing{} }, differs, ""},
		{"global, by a function", func() model.Node { return &impure.Passing{} }, differs, ""},
		{"global, of a closure", func() model.Node { return &impure.Closing{} }, differs, ""},
		{"clock, that seldom ticks", func() model.Node { return &impure.Seconds{} }, "", "the clock does not tick meanwhile"},
		{"goroutine, that writes later", func() model.Node { return &impure.Writing{} }, "Receive of *impure.Writing leaves a goroutine behind (impure/memo.go:", ""},
		{"goroutine, that sleeps", func() model.Node { return &impure.Idling{} }, "Receive of *impure.Idling leaves a goroutine behind (impure/memo.go:", ""},
		{"timer", func() model.Node { return &impure.Ringing{} }, "", "the timer does not fire meanwhile"},
		{"node of another state", func() model.Node { return &impure.Meddling{} }, "was written to after it had returned, in field N (", ""},
		{"configuration", func() model.Node { return &impure.Reconfiguring{} }, reconfigured, ""},
		{"configuration, pointed to", func() model.Node { return impure.NewResetting() }, reconfigured, ""},
		{"configuration, embedded", func() model.Node { return &impure.Embedding{} }, reconfigured, ""},
		{"message", func() model.Node { return &impure.Scribbling{} }, "changes the value it was given", ""},
		{"message, sorted", func() model.Node { return &impure.Sorting{} }, "changes the value it was given", ""},
		{"Env, kept", func() model.Node { return &impure.Keeping{} }, "uses its Env after", ""},
		{"Env, in a field", func() model.Node { return &impure.Fielding{} }, reconfigured, ""},
		{"closure", func() model.Node { return &impure.Postponing{} }, reconfigured, ""},
		{"sends", func() model.Node { return &impure.Sending{} }, differs + ": two runs on the same state differ in its effects", ""},
		{"choices", func() model.Node { return &impure.Choosing{} }, differs, ""},
		{"list", func() model.Node { return &impure.Listing{} }, differs, ""},
		{"lists", func() model.Node { return &impure.Grouping{} }, differs, ""},
		{"collected", func() model.Node { return &impure.Collecting{} }, differs, ""},
		{"first key", func() model.Node { return &impure.First{} }, differs, ""},
		{"last key", func() model.Node { return &impure.Last{} }, differs, ""},
		{"joined keys", func() model.Node { return &impure.Joining{} }, differs, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, asked(c.node, func() model.Monitor { return &quiet{} }, model.Always), c.want, c.never)
		})
	}
}

// Monitors are run twice, too.
func TestSearchFindsOutMonitors(t *testing.T) {
	node := func() model.Node { return &impure.Locking{} }
	for _, c := range []struct {
		name    string
		monitor func() model.Monitor
		kind    model.Kind
		want    string
	}{
		{"clock", func() model.Monitor { return &impure.Stopwatch{} }, model.Always, "is not deterministic"},
		{"configuration", func() model.Monitor { return &impure.Accountant{} }, model.Always, "changes its configuration"},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, asked(node, c.monitor, c.kind), c.want, "") })
	}
}

// expect holds what a search says to what is wanted: nothing, where it never finds out.
func expect(t *testing.T, p *model.Protocol, want, never string) {
	t.Helper()
	rows, err := checker.Check(p, model.Check{}, checker.Options{Workers: 1})
	said := ""
	if err != nil {
		said = err.Error()
	} else if c := rows[0].Claims[0]; c.Verdict != checker.Holds {
		said = c.Text + c.Limit.String()
	}
	switch {
	case never != "" && said != "":
		t.Errorf("%s, but the search says %q", never, said)
	case never == "" && (want == "" || !strings.Contains(said, want)):
		t.Errorf("the search says %q, want %q", said, want)
	}
}
