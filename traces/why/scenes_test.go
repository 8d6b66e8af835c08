package why_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/judge"
	"contend/model"
	"contend/model/claims"
	"contend/traces/replay"
	"contend/traces/why"
)

// explained are the sentences on the shortest run in which a protocol breaks its first claim, or a handler fails.
func explained(t *testing.T, p *model.Protocol, check model.Check) []string {
	t.Helper()
	rows, err := checker.Check(p, check, checker.Options{Seed: 1, Workers: 1})
	require.NoError(t, err, p.Name)
	i := slices.IndexFunc(rows[0].Claims, func(r checker.ClaimResult) bool { return r.Verdict == checker.Violated })
	require.GreaterOrEqual(t, i, 0, "%s: %+v", p.Name, rows[0].Claims)
	run, err := replay.Replay(p, rows[0].Claims[i].Counterexample, judge.Watched(p.Statements()))
	require.NoError(t, err, p.Name)
	e, book := why.Of(run), ledgerOf(run)
	for _, says := range e.Sentences {
		assert.Empty(t, book.told(says), "%s: %s", p.Name, says)
	}
	return e.Sentences
}

// section gives each client so many passages through a critical section.
func section(p *model.Protocol, passages int) *model.Protocol {
	build := p.Build
	p.Build = func(cfg model.Config) (*model.System, error) {
		s, err := build(cfg)
		for i, n := range s.Nodes {
			if n.Role == model.Client {
				s.Nodes[i].Script = slices.Repeat([]model.Op{{Call: Ask{}, Release: GiveUp{}, After: model.Anytime(), Stay: model.Anytime()}}, passages)
			}
		}
		return s, err
	}
	return p
}

// Mistaken takes the other's request for a permission.
type Mistaken struct{ other model.NodeID }

func (m *Mistaken) Invoke(env model.Env, _ any) { env.Send(m.other, LockIt{}) }

func (m *Mistaken) Receive(env model.Env, _ model.NodeID, _ any) { env.Return(nil) }

func mistaken(other model.NodeID) func() model.Node {
	return func() model.Node { return &Mistaken{other} }
}

// Who has got the requests of others, and no answers, has heard from somebody.
func TestRequestsAlone(t *testing.T) {
	p := section(cluster{types: []any{Ask{}, LockIt{}, GiveUp{}}}.client("a", mistaken(1)).client("b", mistaken(0)).protocol("mistaken", claims.MutualExclusion()), 1)
	assert.Equal(t, []string{
		"These do not go together: a enters the section at step 4; b enters the section at step 6.",
		"a had got requests like its own alone since its operation began at step 1.",
		"b had got requests like its own alone since its operation began at step 2.",
	}, explained(t, p, model.Check{}))
}
