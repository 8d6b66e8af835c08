package program_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/model/disk"
	"contend/program"
)

var full = flag.Bool("full", false, "take many more schedules, and search the counter with a history for each state, too")

// few is how many schedules are taken, a part of those that -full takes.
func few(all int) int {
	if *full {
		return all
	}
	return all / 30
}

// locks is a protocol of a lock server and two clients, whose programs are testdata/lock.
func locks(args ...string) *model.Protocol {
	return &model.Protocol{Name: "locks", Title: "a lock server with a disk", Build: func(c model.Config) (*model.System, error) {
		p, err := program.New(program.Config{Package: "./testdata/lock", Hosts: []string{"server", "c1", "c2"},
			Args: func(string) []string { return args }, Disk: &disk.Options{}, Resolution: 4})
		if err != nil {
			return nil, err
		}
		s := &model.System{Config: c, Types: program.Types(), Network: model.Network{Delay: model.By(20), Once: true},
			Nodes: []model.NodeSpec{{Name: "server", Role: model.Server, New: p.Node}}}
		for _, name := range []string{"c1", "c2"} {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Role: model.Client, New: p.Node,
				Script: []model.Op{{Call: "lock"}, {Call: "lock", After: model.By(100)}}})
		}
		return s, nil
	}, Claims: []model.Claim{
		{Name: "each grant once", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &once{} }},
		{Name: "some lock is granted", Kind: model.Sometimes, Monitor: func(*model.System) model.Monitor { return &granted{} }},
	}}
}

// once claims that no number is granted twice.
type once struct{ Granted map[string]bool }

func (o *once) Observe(w model.Watch, seen model.Observation) {
	if text, is := seen.Value.(string); is && seen.Kind == model.Noted && strings.HasPrefix(text, "granted ") {
		w.Witness()
		if o.Granted[text] {
			w.Violate("%s twice", text)
		}
		if o.Granted == nil {
			o.Granted = map[string]bool{}
		}
		o.Granted[text] = true
	}
}

type granted struct{ Is bool }

func (g *granted) Observe(_ model.Watch, seen model.Observation) {
	text, is := seen.Value.(string)
	g.Is = g.Is || is && seen.Kind == model.Noted && strings.HasPrefix(text, "granted ")
}

func (g *granted) Reached() bool { return g.Is }

// Schedules of the server that syncs its file grant each number once, whatever a crash takes away, and those of one that does not
// sync break that.
func TestSampled(t *testing.T) {
	rows, err := checker.Check(locks(), sampled(few(300)), checker.Options{})
	require.NoError(t, err)
	claims := rows[0].Claims
	assert.Equal(t, []string{"inconclusive", "holds"}, []string{fmt.Sprint(claims[0].Verdict), fmt.Sprint(claims[1].Verdict)}, claims[0].Text)
	assert.True(t, claims[0].Witnessed)
	assert.Contains(t, rows[0].Notes[0], "program ./testdata/lock: data races cannot be seen")
	rows, err = checker.Check(locks("nosync"), sampled(2000), checker.Options{NoMinimize: !*full})
	require.NoError(t, err)
	assert.Equal(t, "violated", fmt.Sprint(rows[0].Claims[0].Verdict))
	require.NotNil(t, rows[0].Claims[0].Counterexample)
	assert.Contains(t, rows[0].Claims[0].Text, "granted 1 twice")
}

func sampled(n int) model.Check {
	return model.Check{Schedules: n, Reading: model.Dense, Config: model.Config{Faults: model.Faults{Restarts: 1}}}
}
