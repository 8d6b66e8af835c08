package program_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/foreign"
	"contend/model/guard"
	"contend/model/wrapped"
	"contend/program"
	"contend/traces"
	"contend/traces/picture"
	"contend/traces/replay"
)

// counters is a protocol of a server that counts and two clients: testdata/counter.
func counters(call string, merge bool, args ...string) *model.Protocol {
	return countersOf(program.Config{Merge: merge, Args: func(string) []string { return args }}, call)
}

// countersOf is [counters] of which the configuration of the program is more than its package and hosts.
func countersOf(config program.Config, call string) *model.Protocol {
	config.Package, config.Hosts = "./testdata/counter", []string{"server", "c1", "c2"}
	return &model.Protocol{Name: "counters", Title: "a counter", Build: func(c model.Config) (*model.System, error) {
		p, err := program.New(config)
		if err != nil {
			return nil, err
		}
		s := &model.System{Config: c, Types: program.Types(), Network: model.Network{Delay: model.Anytime(), Once: true},
			Nodes: []model.NodeSpec{{Name: "server", Role: model.Server, New: p.Node}}}
		for _, name := range []string{"c1", "c2"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Client, New: p.Node, Script: []model.Op{{Call: call}}})
		}
		return s, nil
	}, Claims: []model.Claim{
		{Name: "counts differ", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &differ{} }},
		{Name: "at most two", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if n, is := nodes[0].(*foreign.Node[program.View]); is && n.View.Shown > "2" {
				return fmt.Errorf("it shows %s", n.View.Shown)
			}
			return nil
		}},
	}}
}

// differ claims that no two answers have the same count.
type differ struct{ Counts []string }

func (d *differ) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Returned {
		return
	}
	text := o.Value.(string)
	w.Witness()
	for _, before := range d.Counts {
		if before == text[len(text)-1:] {
			w.Violate("count %s twice", before)
		}
	}
	d.Counts = append(d.Counts, text[len(text)-1:])
}

// A search of all runs is complete where programs do not go on for ever. The state of the server is what it shows, if the author says so.
func TestSearched(t *testing.T) {
	states := map[bool]int64{}
	for _, merge := range []bool{false, true} {
		rows, err := checker.Check(counters("go", merge, "quiet"), model.Check{}, checker.Options{})
		require.NoError(t, err)
		assert.True(t, rows[0].Complete)
		for _, c := range rows[0].Claims {
			assert.Equal(t, "holds", fmt.Sprint(c.Verdict), c.Name+c.Text)
		}
		states[merge] = rows[0].States
	}
	assert.Less(t, states[true], states[false])
}

// A violation is a trace, which replays.
func TestReplayed(t *testing.T) {
	p := counters("go", false, "wrong")
	rows, err := checker.Check(p, model.Check{}, checker.Options{})
	require.NoError(t, err)
	claim := rows[0].Claims[0]
	require.Equal(t, "violated", fmt.Sprint(claim.Verdict))
	assert.Contains(t, claim.Text, "count 1 twice")
	var file bytes.Buffer
	require.NoError(t, traces.Write(&file, claim.Counterexample))
	trace, err := traces.Read(&file)
	require.NoError(t, err)
	run, err := replay.Replay(p, trace, nil)
	require.NoError(t, err)
	trace, err = picture.Record(run)
	require.NoError(t, err)
	require.Len(t, trace.Programs, 1)
	assert.NoError(t, replay.SamePrograms(p, trace))
	for want, was := range map[string]wrapped.Origin{
		"as go1.20 builds it, but this is go1.": {Program: trace.Programs[0].Program, Go: "go1.20", Guest: trace.Programs[0].Guest},
		"module 0123456789ab… of program ./testdata/counter, but its sources make module " + trace.Programs[0].Module[:12] + "… now": {Program: trace.Programs[0].Program, Module: "0123456789abcdef", Guest: trace.Programs[0].Guest},
		"as a other guest, but it is a ":        {Program: trace.Programs[0].Program, Module: trace.Programs[0].Module, Guest: "other"},
		"program other, which no node runs now": {Program: "other"},
	} {
		other := *trace
		other.Programs = []wrapped.Origin{was}
		assert.ErrorContains(t, replay.SamePrograms(p, &other), want)
	}
	assert.Equal(t, "count 1 twice", run.World.Violations[0].Text[len("c1: "):])
}

// A program that panics breaks the claim that no handler fails, and where it does is told.
func TestPanics(t *testing.T) {
	rows, err := checker.Check(counters("panic", false), model.Check{}, checker.Options{})
	require.NoError(t, err)
	assert.Contains(t, rows[0].Notes[0], "program ./testdata/counter: data races cannot be seen")
	for _, c := range rows[0].Claims {
		if c.Name == model.NoHandlerFails {
			assert.Equal(t, "violated", fmt.Sprint(c.Verdict))
			assert.Contains(t, c.Text, "the program fails: panic: on purpose: panic at counter/main.go:")
			return
		}
	}
	t.Error("nothing fails")
}

// What is wrong with a program is one sentence, with what the go command says.
func TestRefused(t *testing.T) {
	for want, c := range map[string]program.Config{
		"program: set Package or Wasm, and not both":                                             {Hosts: []string{"n"}},
		"program: Hosts is empty, but must have the names of the system's nodes":                 {Package: "./testdata/counter"},
		"program: Hosts has \"n\", but each name must be of its own and have 1 to 255 bytes":     {Package: "./testdata/counter", Hosts: []string{"n", "n"}},
		"program: Resolution is 65, but must be 0 to 64":                                         {Package: "./testdata/counter", Hosts: []string{"n"}, Resolution: 65},
		"program: Window is -1, but must be 0 to 1073741824":                                     {Package: "./testdata/counter", Hosts: []string{"n"}, Window: -1},
		"program: Slow is -1, but must not be negative":                                          {Package: "./testdata/counter", Hosts: []string{"n"}, Slow: -1},
		"program ./testdata/none: go list fails in the current directory: ":                      {Package: "./testdata/none", Hosts: []string{"n"}},
		"testdata/rights/main.go:8:27: undefined: syscall.UnixRights":                            {Package: "./testdata/rights", Hosts: []string{"n"}, Guest: program.Wasm},
		"Config.Linux has m/none, but must name packages that the program imports on Linux":      {Package: "./testdata/counter", Hosts: []string{"n"}, Guest: program.Wasm, Linux: []string{"m/none"}},
		"program: Guest is 3, but must be 0 to 2":                                                {Package: "./testdata/counter", Hosts: []string{"n"}, Guest: 3},
		"program ./testdata/counter cannot be a native guest: Config.Overlay is for WebAssembly": {Package: "./testdata/counter", Hosts: []string{"n"}, Guest: program.Native, Overlay: "overlay.json"},
		"its main package must import contend/program/sim (of ./testdata/plain)":                 {Package: "./testdata/plain", Hosts: []string{"n"}},
		"program contend/model: it is package model, but only a package main is a program":       {Package: "contend/model", Hosts: []string{"n"}},
		"program: the module has no sim_step":                                                    {Package: "./testdata/plain", Hosts: []string{"n"}, Guest: program.Wasm},
		"program: Net is set, but needs a Package":                                               {Wasm: "w", Hosts: []string{"n"}, Net: true},
		"program: the module is damaged, or no WebAssembly module at all":                        {Wasm: "testdata/counter/main.go", Hosts: []string{"n"}},
	} {
		assert.ErrorContains(t, refusal(c), want)
	}
}

// refusal is why there is no node of a program.
func refusal(c program.Config) (err error) {
	p, err := program.New(c)
	if err != nil {
		return err
	}
	defer guard.Caught(&err)
	p.Node()
	return nil
}

// What is wrong with the system around a program is told before the program is compiled.
func TestSystemFirst(t *testing.T) {
	p := &model.Protocol{Name: "wrong", Build: func(model.Config) (*model.System, error) {
		p, err := program.New(program.Config{Package: "./testdata/rights", Hosts: []string{"n"}})
		require.NoError(t, err)
		return &model.System{Types: program.Types(), Nodes: []model.NodeSpec{{Name: "n", Role: model.Server, New: p.Node, Script: []model.Op{{Call: "x"}}}}}, nil
	}}
	_, err := p.System("", model.Config{})
	assert.EqualError(t, err, "system: node n has a script, but only clients and peers have an application")
}
