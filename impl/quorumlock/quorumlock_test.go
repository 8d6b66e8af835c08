package quorumlock_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/impl/quorumlock"
	"contend/model"
)

const exclusion = "mutual exclusion"

// five servers of which one lies: the configuration of docs/proofs/quorumlock.md.
var five = model.Config{N: 5, B: 1}

var (
	whole     = []string{}           // no reduction
	symmetric = []string{"symmetry"} // and no stale absorption
)

// together are the claims that one search checks: all but the claims that are searched apart.
func together() (names []string) {
	for _, c := range quorumlock.Protocol.Claims {
		if c.Apart == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// exhaustive returns the row of an exhaustive search for some claims. None of them is searched apart.
func exhaustive(t *testing.T, p *model.Protocol, c model.Check, reduce []string) *checker.Row {
	t.Helper()
	rows, err := checker.Check(p, c, checker.Options{Reduce: reduce})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return rows[0]
}

// verdict returns the verdict on a claim, from a search with all reductions.
func verdict(t *testing.T, p *model.Protocol, c model.Check, claim string) checker.ClaimResult {
	t.Helper()
	c.Claims = []string{claim}
	return exhaustive(t, p, c, nil).Claims[0]
}

// A space is a configuration with the size of its state space.
type space struct {
	model.Config
	states, transitions int64
	depth               int
	orbits              int64 // with the honest servers interchangeable, and the clients not
}

var spaces = []space{
	{model.Config{N: 3}, 2_360, 8_474, 14, 500},
	{model.Config{N: 4, B: 1}, 54_082, 289_214, 18, 11_214},
	{five, 683_090, 4_522_814, 22, 43_354},
}

func (s space) String() string { return fmt.Sprintf("n=%d,b=%d", s.N, s.B) }

// The state spaces have the sizes that checkers of the specification count. These checkers share no code with this
// package. The claims add no state.
func TestStateSpaces(t *testing.T) {
	for _, s := range spaces {
		for _, claims := range [][]string{together(), {exclusion}} {
			t.Run(fmt.Sprintf("%v,claims=%v", s, claims), func(t *testing.T) {
				row := exhaustive(t, quorumlock.Protocol, model.Check{Config: s.Config, Claims: claims}, whole)
				got := space{s.Config, row.States, row.Transitions, row.Depth, s.orbits}
				assert.Equal(t, s, got)
				assert.Equal(t, checker.Holds, row.Verdict)
				assert.True(t, row.Complete)
			})
		}
	}
}

// Symmetry, without stale absorption, leaves one state for each orbit.
func TestOrbits(t *testing.T) {
	for _, s := range spaces {
		t.Run(s.String(), func(t *testing.T) {
			row := exhaustive(t, quorumlock.Protocol, model.Check{Config: s.Config, Claims: together()}, symmetric)
			assert.Equal(t, s.orbits, row.States)
			assert.Empty(t, row.Notes, "symmetry is not refused")
			assert.Equal(t, checker.Holds, row.Verdict)
			assert.True(t, row.Complete)
		})
	}
}

// With quorums of four, two clients succeed. Each starts, and receives four answers. Each answer was sent in an earlier
// step. So no run is shorter than 18 steps.
func TestQuorumOfFour(t *testing.T) {
	small := five.With(model.Quorum.Is(4))
	small.Beyond = true
	for _, reduce := range [][]string{nil, whole, symmetric} {
		row := exhaustive(t, quorumlock.Protocol, model.Check{Config: small, Claims: []string{exclusion}}, reduce)
		assert.Equal(t, checker.Violated, row.Claims[0].Verdict)
		assert.Equal(t, 18, row.Claims[0].Steps)
	}
}

// Mutual exclusion holds exactly within the bound. A client can succeed within and beyond it.
func TestBoundIsTight(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for b := 0; b <= min(n, 1); b++ {
			for q := 1; q <= n; q++ {
				c := model.Config{N: n, B: b}.With(model.Quorum.Is(q))
				t.Run(fmt.Sprintf("n=%d,b=%d,q=%d", n, b, q), func(t *testing.T) {
					within := 2*q-n >= 3*b+1
					_, err := quorumlock.Protocol.System("", c)
					assert.Equal(t, within, err == nil, "%v", err)
					want := checker.Violated
					if within {
						want = checker.Holds
					}
					c.Beyond = true
					assert.Equal(t, want, verdict(t, quorumlock.Protocol, model.Check{Config: c}, exclusion).Verdict)
					assert.Equal(t, checker.Holds, verdict(t, quorumlock.Protocol, model.Check{Config: c}, "success").Verdict)
				})
			}
		}
	}
}

// The default quorum is the smallest within the bound. An invalid configuration is refused in a sentence.
func TestConfigurations(t *testing.T) {
	for _, c := range []struct {
		config model.Config
		quorum int
		err    string
	}{
		{model.Config{}, 3, ""},
		{five, 5, ""},
		{model.Config{N: 8, B: 2}, 8, ""},
		{model.Config{N: 8, B: 1}, 6, ""},
		{model.Config{N: 3, B: 1}, 0, "quorum is 3: two quorums of n = 3 servers may share only 3, but mutual exclusion needs 4 with b = 1; --beyond-bounds checks it all the same"},
		{model.Config{N: 5, B: 1}.With(model.Quorum.Is(6)), 0, "quorum is 6 and b is 1, but there are only n = 5 servers"},
		{model.Config{N: 1, B: 2, Beyond: true}, 0, "quorum is 1 and b is 2, but there are only n = 1 servers"},
	} {
		s, err := quorumlock.Protocol.System("", c.config)
		if c.err != "" {
			assert.EqualError(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.quorum, model.Quorum.Of(s.Config))
		assert.Len(t, s.Nodes, s.Config.N-s.Config.B+model.Clients.Of(s.Config))
	}
}

// Mutual exclusion needs its assumptions. An answer that arrives twice is counted twice. A server that loses its memory
// grants again.
func TestAssumptionsAreNeeded(t *testing.T) {
	bold := *quorumlock.Protocol
	bold.Claims = slices.Clone(bold.Claims)
	bold.Claims[0].Assumes = nil
	require.Equal(t, exclusion, bold.Claims[0].Name)
	for _, c := range []model.Config{
		{N: 3, Faults: model.Faults{Duplication: 1}},
		{N: 1, Faults: model.Faults{Restarts: 1}},
	} {
		check := model.Check{Config: c}
		assert.Equal(t, checker.NotClaimed, verdict(t, quorumlock.Protocol, check, exclusion).Verdict)
		assert.Equal(t, checker.Violated, verdict(t, &bold, check, exclusion).Verdict)
	}
	clientsStop := model.Check{Config: model.Config{N: 3, Faults: model.Faults{Crashes: 2, Loss: 2}}}
	assert.Equal(t, checker.Holds, verdict(t, quorumlock.Protocol, clientsStop, exclusion).Verdict)
}

// The witness can fail: no client succeeds if servers grant nothing.
func TestSuccessCanFail(t *testing.T) {
	p := *quorumlock.Protocol
	p.Variants = append(slices.Clone(p.Variants), model.Variant{
		Name: "grants-nobody", Title: "an honest server answers LOCKED to everybody",
		Edit: func(s *model.System) { s.Setup.(*quorumlock.Config).Grants = 0 },
	})
	check := model.Check{Config: five, Variant: "grants-nobody"}
	assert.Equal(t, checker.Violated, verdict(t, &p, check, "success").Verdict)
}
