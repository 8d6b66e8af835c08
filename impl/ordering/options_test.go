package ordering

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
)

// `verify mutants` checks each option once. These further checks may show that a harmless change is a bug. A second
// operation of a client can be lost. Three passages of each operation have late messages.
var (
	liarOnce   = model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(1))
	liarThrice = model.Config{N: 3, B: 1, Beyond: true}.With(model.Quorum.Is(3), model.Clients.Is(1), model.Ops.Is(2), Attempts.Is(3))
)

// Harmless changes keep the claims of safety with two operations of a client, three passages of each and a liar. With
// ranks-shared, two clients have a passage each. Where a quorum is all servers, quorums-apart changes nothing.
func TestHarmlessChangesAmongLiars(t *testing.T) {
	for i, v := range harmless {
		c := liarThrice
		switch v.Name {
		case "ranks-shared":
			c = liar.Config
		case "quorums-apart":
			continue
		}
		if !*full && i%3 != 0 {
			continue
		}
		t.Run(v.Name, func(t *testing.T) { assertKeeps(t, v, c) })
	}
}

// Other readings keep the claims of safety with two operations of a client and a liar.
func TestReadingsAmongLiars(t *testing.T) {
	if !*full {
		t.Skip("thirteen searches: -full")
	}
	for _, v := range readings {
		c := liarOnce
		if v.Name == "completed-unknown" {
			c = c.With(Attempts.Is(2)) // the first passage commits σ⁰ again
		}
		t.Run(v.Name, func(t *testing.T) { assertKeeps(t, v, c) })
	}
}

// assertKeeps fails unless an option keeps the claims of safety, in a complete search.
func assertKeeps(t *testing.T, v model.Variant, c model.Config) {
	t.Helper()
	rows, err := checker.Check(Protocol, model.Check{Variant: v.Name, Config: c, Claims: safety}, checker.Options{})
	require.NoError(t, err)
	for _, row := range rows {
		assert.True(t, row.Complete)
		for _, claim := range row.Claims {
			assert.Equal(t, checker.Holds, claim.Verdict, "%s: %s", claim.Name, claim.Text)
			assert.True(t, claim.Witnessed, claim.Name)
		}
	}
}

// A server's committed version never decreases in the protocol, nor in a harmless change in which get may omit a
// server. It decreases in commit-does-not-raise.
func TestLateCommitIsRefused(t *testing.T) {
	assert.False(t, fallsBack(t, "seeded"))
	for _, v := range harmless {
		if v.Name != "quorums-apart" {
			assert.False(t, fallsBack(t, v.Name), v.Name)
		}
	}
	assert.True(t, fallsBack(t, "commit-does-not-raise"))
}

// fallsBack reports whether s1 accepts a late commit of rank 1 after it has received rank 2 by a commit alone.
func fallsBack(t *testing.T, variant string) bool {
	t.Helper()
	s, err := Protocol.System(variant, again.Config)
	require.NoError(t, err)
	d := drive(t, s)
	d.boot()
	d.do("c1 contends", "c1→s1,s2 get 1", "s1,s2→c1 got 1", "c1→s2,s3 propose 1", "s2,s3→c1 done propose 1")
	d.do("c1→s2,s3 commit 1", "s2,s3→c1 done commit 1")
	d.do("c1 contends", "c1→s2,s3 get 2", "s2,s3→c1 got 2", "c1→s2,s3 propose 2", "s2,s3→c1 done propose 2")
	d.do("c1→s1 commit 2", "c1→s1 commit 1")
	s1, ok := d.Live(0).(interface{ server() *Server })
	require.True(t, ok)
	return s1.server().Committed.Version < 2
}
