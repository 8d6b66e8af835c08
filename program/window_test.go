package program_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
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
		if runtime.GOOS != "linux" {
			t.Skip("Linux is what the guests are compared with")
		}
		for _, name := range calls.Names {
			assert.Equal(t, want[name], []string{calls.Run(name, 32<<20)}, name)
		}
	})
	onGuests(t, func(t *testing.T, k program.Kind) {
		s := windowed(t, program.Config{Hosts: []string{"host"}, Window: 400, Yield: 5, Guest: k})
		var labels []string
		for _, name := range calls.Names {
			s.Nodes[0].Script = append(s.Nodes[0].Script, model.Op{Call: "1500 " + name})
			labels = append(labels, name)
		}
		got, ends := returned(t, s, labels, 8)
		assert.Equal(t, want, got)
		assert.Equal(t, map[sample.End]int64{sample.Done: 8}, ends)
	})
}

// What a peer reads opens the window at once: ten windows take less time than ten questions for them.
func TestWindowOpens(t *testing.T) {
	onGuests(t, func(t *testing.T, k program.Kind) {
		s := windowed(t, program.Config{Hosts: []string{"writer", "peer"}, Window: 400, Guest: k})
		s.Nodes[0].Script = []model.Op{{Call: "2"}}
		got, _ := returned(t, s, []string{"2"}, 16)
		assert.Equal(t, map[string][]string{"2": {"4000 <nil> true"}}, got)
	})
}

// A write that waits ends if the peer has restarted, or if nobody answers for a quarter of an hour. If the peer answers, the write waits.
func TestWindowOfALostPeer(t *testing.T) {
	for _, c := range []struct {
		faults model.Faults
		crash  model.CrashModel
		want   []string
	}{
		{model.Faults{}, model.ByRole, nil},
		{model.Faults{Restarts: 1}, model.CrashRecovery, []string{"400 reset", "400 timed out"}},
		{model.Faults{Crashes: 1}, model.CrashStop, []string{"400 timed out"}},
	} {
		onGuests(t, func(t *testing.T, k program.Kind) {
			s := windowed(t, program.Config{Hosts: []string{"writer", "peer"}, Window: 400, Guest: k})
			s.Faults, s.Nodes[1].Crash = c.faults, c.crash
			s.Nodes[0].Script = []model.Op{{Call: "1"}}
			got, ends := returned(t, s, []string{"1"}, 64)
			slices.Sort(got["1"])
			assert.Equal(t, c.want, got["1"])
			assert.NotZero(t, ends[sample.Idle])
		})
	}
}

// A server that writes to a slow subscriber under its lock keeps others waiting, but only a small window shows it soon.
func TestFeed(t *testing.T) {
	onGuests(t, func(t *testing.T, k program.Kind) {
		for _, c := range []struct {
			how    string
			window int
			want   string
		}{{"locked", 400, "c: an answer is late"}, {"locked", 0, ""}, {"queued", 400, ""}} {
			config := program.Config{Args: func(string) []string { return []string{c.how} }, Window: c.window, Guest: k}
			assert.Equal(t, c.want, violated(t, feeds(config), model.Config{}, few(300))["in time"], "%s with window %d", c.how, c.window)
		}
	})
}

// feeds is a protocol of a server, a slow subscriber, and a client that publishes.
func feeds(config program.Config) *model.Protocol {
	config.Package, config.Hosts = "./testdata/feed", []string{"server", "slow", "c"}
	return &model.Protocol{Name: "feeds", Title: "a feed with a slow subscriber", Build: func(c model.Config) (*model.System, error) {
		p, err := program.New(config)
		if err != nil {
			return nil, err
		}
		text := model.Op{Call: strings.Repeat("text", 50), After: model.By(100)}
		return &model.System{Config: c, Types: program.Types(), Network: model.Network{Delay: model.By(10), Once: true}, Nodes: []model.NodeSpec{
			{Name: "server", Role: model.Server, New: p.Node},
			{Name: "slow", Role: model.Client, New: p.Node, Script: []model.Op{{Call: "subscribe"}}},
			{Name: "c", Role: model.Client, New: p.Node, Script: []model.Op{text, text, text, text}}}}, nil
	}, Claims: []model.Claim{{Name: "in time", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &punctual{} }}}}
}

// punctual claims that no answer is late.
type punctual struct{}

func (*punctual) Observe(w model.Watch, seen model.Observation) {
	w.Witness()
	if seen.Kind == model.Noted && seen.Value == "late" {
		w.Violate("an answer is late")
	}
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

// returned lists the different results of each call in sampled schedules, and counts how schedules end.
func returned(t *testing.T, s *model.System, calls []string, schedules int) (map[string][]string, map[sample.End]int64) {
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
	return is, r.Ends
}
