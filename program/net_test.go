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
)

// A program that knows only packages net and net/http reaches the other nodes by their names, over TCP and UDP, and its sockets have the
// types and addresses that they have anywhere.
func TestNet(t *testing.T) {
	t.Run("wasm", func(t *testing.T) { talk(t, program.Wasm, "Connection refused") })
	t.Run("native", func(t *testing.T) {
		if err := native.Supported(); err != nil {
			t.Skip(err)
		}
		talk(t, program.Native, "connection refused")
	})
}

// talk runs the program, on a system whose word for a port that is closed is refused.
func talk(t *testing.T, k program.Kind, refused string) {
	t.Helper()
	p, err := program.New(program.Config{Package: "./testdata/web", Hosts: []string{"server", "c1", "c2"}, Net: true, Resolution: 4, Guest: k})
	require.NoError(t, err)
	s := &model.System{Types: program.Types(), Network: model.Network{Delay: model.By(20), Once: true},
		Nodes: []model.NodeSpec{{Name: "server", Role: model.Server, New: p.Node}}}
	calls := []string{"names", "get", "tcp", "udp", "nobody", "closed", "slow", "records", "options", "raw", "interfaces", "accept", "unix", "tls"}
	for _, name := range []string{"c1", "c2"} {
		n := model.NodeSpec{Name: name, Role: model.Client, New: p.Node}
		for _, call := range calls {
			n.Script = append(n.Script, model.Op{Call: call})
		}
		s.Nodes = append(s.Nodes, n)
	}
	said := map[string]map[string]bool{}
	see := func(_ int, _ *world.World, r world.Record) {
		for _, o := range r.Observations {
			of := ""
			switch {
			case o.Kind == model.Returned:
				of = calls[o.Op]
			case o.Kind == model.Noted && o.Node == 0:
				of = "server"
			default:
				continue
			}
			if said[of] == nil {
				said[of] = map[string]bool{}
			}
			said[of][fmt.Sprint(o.Value)] = true
		}
	}
	r, err := sample.Sample(s, nil, sample.Options{Schedules: max(few(300), 4), Seed: 1, Timed: true, Workers: 1, Taken: see})
	require.NoError(t, err)
	assert.Equal(t, map[sample.End]int64{sample.Done: r.Schedules}, r.Ends)
	is := map[string][]string{}
	for of, all := range said {
		for one := range all {
			is[of] = append(is[of], one)
		}
		slices.Sort(is[of])
	}
	assert.Equal(t, map[string][]string{
		"names":  {"[10.0.0.1]"},
		"get":    {"1 for 10.0.0.2", "1 for 10.0.0.3", "2 for 10.0.0.2", "2 for 10.0.0.3"},
		"tcp":    {"LOUD at [::]:7 from 10.0.0.1:7 to 10.0.0.2", "LOUD at [::]:7 from 10.0.0.1:7 to 10.0.0.3"},
		"udp":    {"soft from 10.0.0.1:9"},
		"nobody": {"dial tcp: lookup nobody: no such host"},
		"closed": {"true dial tcp 10.0.0.1:81: " + refused},
		"slow":   {"failed"},
		"server": {"gone"},

		"records":    {"lookup server: no such host; lookup _http._tcp.server: no such host"},
		"options":    {"set"},
		"raw":        {"SEVEN WORDS at [::]:7 true"},
		"interfaces": {"lo true [127.0.0.1/8]\neth0 false [10.0.0.2/16]\n2", "lo true [127.0.0.1/8]\neth0 false [10.0.0.3/16]\n2"},
		"accept":     {"true true"},
		"unix":       {"echo"},
		"tls":        {"secret by HTTP/2.0 of [server]"},
	}, is)
}
