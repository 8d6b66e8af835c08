package driver

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verdict"
	"contend/model"
)

// quiet is a node that does nothing.
type quiet struct{}

func (quiet) Start(model.Env) {}

var rounds = model.Param[int]{Name: "rounds", Meaning: "rounds", Least: 1, Most: 3, Default: 2}

// toy has two processes at least, an option and a mutant.
func toy(checks ...model.Check) *model.Protocol {
	return &model.Protocol{
		Name: "toy", Params: []model.Parameter{model.N, rounds, model.Delay.WithDefault(5)}, Checks: checks,
		Networks: []model.NetworkModel{model.SynchronousNetwork, model.AsynchronousNetwork},
		Variants: []model.Variant{{Name: "option", Edit: func(*model.System) {}}, {Name: "mutant", Breaks: "lock", Edit: func(*model.System) {}}},
		Build: func(c model.Config) (*model.System, error) {
			if c.N < 2 {
				return nil, errors.New("n is too small")
			}
			s := &model.System{Config: c, Network: model.Network{Delay: model.Anytime()}}
			for range c.N {
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: "p", Role: model.Peer, New: func() model.Node { return &quiet{} }})
			}
			for i := range s.Nodes {
				s.Nodes[i].Name = string(rune('a' + i))
			}
			return s, nil
		},
	}
}

// commands returns the command lines of checks, without the tool and the protocol.
func commands(t *testing.T, p *model.Protocol, all []model.Check) (lines []string) {
	for _, c := range all {
		s, err := p.System(c.Variant, c.Config)
		require.NoError(t, err)
		lines = append(lines, strings.TrimPrefix(verdict.Command(p, c, s.Config), verdict.Tool+" check toy"))
	}
	return lines
}

// Candidates begin with the smallest configuration that is accepted, and are reached one step at a time. Mutants are no
// candidates, nor is what is listed with all claims.
func TestCandidates(t *testing.T) {
	p := toy(model.Check{Config: model.Config{N: 2}.With(rounds.Is(1))}, model.Check{Config: model.Config{N: 4}, Claims: []string{"lock"}})
	all := commands(t, p, candidates(p, 1000))
	assert.Equal(t, []string{
		" -n 3 --rounds 1 --delay 5 --time untimed",
		" -n 2 --rounds 2 --delay 5 --time untimed",
		" -n 2 --rounds 1 --delay 5 -f 1 --time untimed",
	}, all[:3])
	for _, want := range []string{
		" -n 3 --rounds 2 --delay 5 --loss 1 --time untimed", " -n 4 --rounds 2 --delay 5 --loss 1 --time untimed",
		" -n 2 --rounds 1 --delay 5 --network asynchronous --time untimed", " -n 4 --rounds 2 --delay 5 --time untimed",
		"/option -n 2 --rounds 1 --delay 5 --time untimed",
	} {
		assert.True(t, slices.Contains(all, want), want)
	}
	for _, not := range []string{"mutant", " -n 1 ", "--rounds 4", "--loss 3", "--delay 6", "--rounds 0"} {
		assert.False(t, slices.ContainsFunc(all, func(line string) bool { return strings.Contains(line, not) }), not)
	}
	assert.False(t, slices.Contains(all, " -n 2 --rounds 1 --delay 5 --time untimed"))
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), len(all), "none is there twice")
	assert.Equal(t, all[:7], commands(t, p, candidates(p, 7)))

	p.Checks[1].Reading = model.Grid
	all = commands(t, p, candidates(p, 1000))
	assert.True(t, slices.Contains(all, " -n 2 --rounds 1 --delay 6 --time grid"), "time is read")
	assert.False(t, slices.ContainsFunc(all, func(line string) bool { return strings.Contains(line, "--delay 4") }))
}

// What is sent of a check is all of it.
func TestGiven(t *testing.T) {
	c := model.Check{
		Variant: "option", Reading: model.Grid, Claims: []string{"lock"},
		Config: model.Config{N: 3, B: 1, Network: model.AsynchronousNetwork, Faults: model.Faults{Loss: 1}}.With(rounds.Is(3)),
	}
	assert.Equal(t, c, given(c).check())
}
