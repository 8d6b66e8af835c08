package program_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/checker/sample"
	"contend/model"
	"contend/model/disk"
	"contend/model/world"
	"contend/program"
	"contend/program/native"
)

// counted claims that each call counts one more request than the calls before it. Nobody knows whether a call without an answer counts.
var counted = model.Claim{Name: "counted", Kind: model.Linearizable, Object: model.Object{Name: "a count", Init: 0, Unknown: "failed",
	Step: func(state any, _ model.NodeID, _ any) []model.Effect {
		return []model.Effect{{State: state.(int) + 1, Result: fmt.Sprint(state.(int) + 1)}}
	}}}

// A heard is what the nodes of a sample noted, whether a call had no result, and whether the server forgot a request.
type heard struct {
	notes             []string
	noResult, forgets bool
}

// terminated samples a server that gets SIGTERMs, as does its client.
func terminated(t *testing.T, how string) (h heard) {
	t.Helper()
	p, err := program.New(program.Config{Package: "./testdata/graceful", Hosts: []string{"server", "client"}, Net: true, Guest: program.Native,
		Args: func(string) []string { return []string{how} }, Disk: &disk.Options{}})
	require.NoError(t, err)
	c := model.Config{}.With(program.Sigterms.Is(2))
	s := &model.System{Config: c, Types: program.Types(), Network: model.Network{Delay: model.By(20), Once: true}, Nodes: []model.NodeSpec{
		{Name: "server", Role: model.Server, New: p.Node},
		{Name: "client", Role: model.Client, New: p.Node, Script: []model.Op{{Call: "a"}, {Call: "b", After: model.By(100)}, {Call: "c", After: model.By(100)}}}}}
	trouble, err := p.Trouble(c, 200)
	require.NoError(t, err)
	s.Nodes = append(s.Nodes, trouble...)
	all := map[string]bool{}
	returned := 0
	see := func(_ int, _ *world.World, r world.Record) {
		for _, o := range r.Observations {
			switch o.Kind {
			case model.Returned:
				returned++
				h.noResult = h.noResult || o.Value == any(model.NoResult{})
			case model.Noted:
				all[fmt.Sprintf("%d %v", o.Node, o.Value)] = true
			}
		}
	}
	r, err := sample.Sample(s, judge.Watched([]model.Claim{counted}), sample.Options{Schedules: 48, Seed: 1, Timed: true, Workers: 1, Taken: see})
	require.NoError(t, err)
	h.notes, h.forgets = slices.Sorted(maps.Keys(all)), len(r.Violations) > 0
	if !h.forgets {
		assert.Equal(t, map[sample.End]int64{sample.Done: r.Schedules}, r.Ends)
		assert.EqualValues(t, 3*r.Schedules, returned)
	}
	return h
}

// A SIGTERM comes to a program that handles it as anywhere, also during a call, and ends one that does not. After its end the program starts again
// with all that it has written. A call has no result if its program ends before it returns.
func TestTerminate(t *testing.T) {
	if err := native.Supported(); err != nil {
		t.Skip(err)
	}
	for how, want := range map[string]heard{
		"":       {[]string{"0 begins with 0", "0 begins with 1", "0 begins with 2", "0 ends", "0 {0}", "1 {143}"}, true, false},
		"finish": {[]string{"0 begins with 0", "0 begins with 1", "0 ends", "0 {0}", "1 the client ends after its call", "1 {0}"}, false, false},
		"deaf":   {[]string{"0 begins with 0", "0 {143}", "1 {143}"}, true, true},
		"reload": {[]string{"0 reloads", "1 {143}"}, true, false},
		"ignore": {[]string{"1 {143}"}, true, false},
	} {
		t.Run(how, func(t *testing.T) { assert.Equal(t, want, terminated(t, how)) })
	}
	p, err := program.New(program.Config{Package: "./testdata/graceful", Hosts: []string{"server", "client"}, Net: true, Guest: program.Wasm})
	require.NoError(t, err)
	_, err = p.Trouble(model.Config{}.With(program.Sigterms.Is(2)), 100)
	assert.EqualError(t, err, "sigterms is 2, but only native guests get signals: leave out the budget, or set the parameter guest to 2 on linux/amd64 with Linux 6.7 or later")
}
