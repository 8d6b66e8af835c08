package program_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/model"
	"contend/model/disk"
	"contend/program"
)

// troubled is a protocol of a server and a client that calls something twice, with trouble. It claims that no result has some words.
func troubled(pkg, server, call, words string, d *disk.Options) *model.Protocol {
	return &model.Protocol{Name: "troubled", Title: "a server with trouble", Params: program.Budgets(), Build: func(c model.Config) (*model.System, error) {
		p, err := program.New(program.Config{Package: pkg, Hosts: []string{server, "c1"}, Disk: d})
		if err != nil {
			return nil, err
		}
		s := &model.System{Config: c, Types: program.Types(), Network: model.Network{Delay: model.By(20), Once: true}, Nodes: []model.NodeSpec{
			{Name: server, Role: model.Server, New: p.Node},
			{Name: "c1", Role: model.Client, New: p.Node, Script: []model.Op{{Call: call}, {Call: call, After: model.By(100)}}}}}
		t, err := p.Trouble(c, 100)
		s.Nodes = append(s.Nodes, t...)
		return s, err
	}, Claims: []model.Claim{{Name: "well", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &well{not: words} }}}}
}

type well struct{ not string }

func (x *well) Observe(w model.Watch, o model.Observation) {
	if text, is := o.Value.(string); is && o.Kind == model.Returned {
		w.Witness()
		if strings.Contains(strings.ToLower(text), x.not) {
			w.Violate("%s", text)
		}
	}
}

// Each trouble shows in what a program sees, and without its budget nothing does.
func TestTroubles(t *testing.T) {
	if testing.Short() {
		t.Skip("it samples six systems")
	}
	for budget, c := range map[string]struct {
		pkg, call, words string
		claim            string
		disk             *disk.Options
	}{
		program.Cuts.Name:      {"./testdata/lock", "lock", "connection reset", "well", &disk.Options{}},
		program.HalfOpens.Name: {"./testdata/lock", "lock", "connection reset", "well", &disk.Options{}},
		program.Refusals.Name:  {"./testdata/lock", "lock", "connection refused", "well", &disk.Options{}},
		program.Jumps.Name:     {"./testdata/counter", "time", "21:13:", "well", nil},
		program.FullDisks.Name: {"./testdata/lock", "lock", "no space", model.NoHandlerFails, &disk.Options{}},
	} {
		t.Run(budget, func(t *testing.T) {
			p := troubled(c.pkg, "server", c.call, c.words, c.disk)
			assert.Empty(t, violated(t, p, model.Config{}, 5))
			found := violated(t, p, model.Config{}.With(model.Setting{Name: budget, Value: 2}), 40)
			assert.Contains(t, strings.ToLower(found[c.claim]), c.words)
		})
	}
	p, err := program.New(program.Config{Package: "./testdata/lock", Hosts: []string{"server"}})
	require.NoError(t, err)
	_, err = p.Trouble(model.Config{}.With(program.FullDisks.Is(1)), 100)
	assert.EqualError(t, err, "full-disks is 1, but the programs have no disk")
}

// violated are the claims that schedules violate, with what is said of each.
func violated(t *testing.T, p *model.Protocol, c model.Config, schedules int) map[string]string {
	s, err := p.System("", c)
	require.NoError(t, err)
	r, err := sample.Sample(s, p.Claims, sample.Options{Schedules: schedules, Seed: 1, Timed: true})
	require.NoError(t, err)
	all := map[string]string{}
	for _, v := range r.Violations {
		all[v.Claim] = v.Text
	}
	return all
}
