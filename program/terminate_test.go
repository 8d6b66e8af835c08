package program_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/model"
	"contend/model/disk"
	"contend/model/world"
	"contend/program"
	"contend/program/native"
)

// terminated samples a server that gets SIGTERMs, as does its client. It returns what the server notes, and whether the server counts a
// request like an earlier one.
func terminated(t *testing.T, how string) (notes []string, forgets bool) {
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
	last, returned := map[int]int{}, 0
	see := func(schedule int, _ *world.World, r world.Record) {
		for _, o := range r.Observations {
			switch {
			case o.Kind == model.Returned:
				returned++
				if count, err := strconv.Atoi(fmt.Sprint(o.Value)); err == nil {
					forgets = forgets || count <= last[schedule]
					last[schedule] = count
				}
			case o.Kind == model.Noted && o.Node == 0:
				all[fmt.Sprint(o.Value)] = true
			}
		}
	}
	r, err := sample.Sample(s, nil, sample.Options{Schedules: 48, Seed: 1, Timed: true, Workers: 1, Taken: see})
	require.NoError(t, err)
	assert.Equal(t, map[sample.End]int64{sample.Done: r.Schedules}, r.Ends)
	assert.EqualValues(t, 3*r.Schedules, returned)
	return slices.Sorted(maps.Keys(all)), forgets
}

// A SIGTERM comes to a program that handles it as anywhere, and ends one that does not. After its end the program starts again with all that it
// has written. Every call of the application returns.
func TestTerminate(t *testing.T) {
	if err := native.Supported(); err != nil {
		t.Skip(err)
	}
	for how, want := range map[string]struct {
		notes   []string
		forgets bool
	}{
		"":       {[]string{"begins with 0", "begins with 1", "ends", "{0}"}, false},
		"deaf":   {[]string{"begins with 0", "{143}"}, true},
		"reload": {[]string{"reloads"}, false},
		"ignore": {nil, false},
	} {
		t.Run(how, func(t *testing.T) {
			notes, forgets := terminated(t, how)
			assert.Equal(t, want.notes, notes)
			assert.Equal(t, want.forgets, forgets)
		})
	}
	p, err := program.New(program.Config{Package: "./testdata/graceful", Hosts: []string{"server", "client"}, Net: true, Guest: program.Wasm})
	require.NoError(t, err)
	_, err = p.Trouble(model.Config{}.With(program.Sigterms.Is(2)), 100)
	assert.EqualError(t, err, "sigterms is 2, but only native guests get signals: leave out the budget, or set the parameter guest to 2 on linux/amd64 with Linux 6.7 or later")
}
