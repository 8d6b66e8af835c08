package program_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
	"contend/program"
	"contend/program/native"
	"contend/program/testdata/window/calls"
)

// A write to a connection whose window is full waits, and ends as on Linux.
func TestWindow(t *testing.T) {
	want := map[string][]string{
		"deadline":                {"some, deadline; none, deadline; true <nil>"},
		"past":                    {"none, deadline"},
		"shortened":               {"some, deadline"},
		"resumed":                 {"all, <nil>"},
		"closed":                  {"some, closed; true <nil>"},
		"closed by the peer":      {"some, reset"},
		"read and closed":         {"some, reset"},
		"half closed":             {"some, pipe; none, pipe; true <nil>"},
		"half closed by the peer": {"EOF; true <nil>; all, <nil>"},
		"two writers":             {"all, <nil>; <nil>; true"},
		"unread":                  {"answer; reset"},
	}
	t.Run("linux", func(t *testing.T) {
		if native.Supported() != nil {
			t.Skip("this is no Linux")
		}
		for _, name := range calls.Names {
			assert.Equal(t, want[name], []string{calls.Run(name, 32<<20)}, name)
		}
	})
	onGuests(t, func(t *testing.T, k program.Kind) {
		s := windowed(t, program.Config{Hosts: []string{"host"}, Window: 400, Guest: k})
		var labels []string
		for _, name := range calls.Names {
			s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: "1500 " + name})
			labels = append(labels, name)
		}
		assert.Equal(t, want, returned(t, s, labels, 8))
	})
}

// onGuests runs a test on both kinds of guests.
func onGuests(t *testing.T, test func(*testing.T, program.Kind)) {
	t.Helper()
	t.Run("wasm", func(t *testing.T) { test(t, program.Wasm) })
	t.Run("native", func(t *testing.T) {
		if err := native.Supported(); err != nil {
			t.Skip(err)
		}
		test(t, program.Native)
	})
}

// windowed is a system of nodes that run testdata/window.
func windowed(t *testing.T, config program.Config) *model.System {
	t.Helper()
	config.Package, config.Net = "./testdata/window", true
	p, err := program.New(config)
	require.NoError(t, err)
	s := &model.System{Types: program.Types(), Network: model.Network{Delay: model.By(20), Once: true}}
	for _, host := range config.Hosts {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: host, Role: model.Client, New: p.Node})
	}
	return s
}

// returned lists the different results of each call in sampled schedules.
func returned(t *testing.T, s *model.System, calls []string, schedules int) map[string][]string {
	t.Helper()
	is := map[string][]string{}
	see := func(_ int, _ *world.World, r world.Record) {
		for _, o := range r.Observations {
			if of, value := "", fmt.Sprint(o.Value); o.Kind == model.Returned {
				of = calls[o.Op]
				if !slices.Contains(is[of], value) {
					is[of] = append(is[of], value)
				}
			}
		}
	}
	r, err := sample.Sample(s, nil, sample.Options{Schedules: schedules, Seed: 1, Timed: true, Workers: 1, Taken: see})
	require.NoError(t, err)
	assert.Equal(t, map[sample.End]int64{sample.Done: r.Schedules}, r.Ends)
	return is
}
