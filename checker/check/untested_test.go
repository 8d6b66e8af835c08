package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verdict"
	"contend/impl/ballots"
	"contend/impl/multicast"
	"contend/impl/multicast/causal"
	"contend/impl/multipaxos"
	"contend/model"
	"contend/model/claims"
)

// A claim that no run of a complete search puts to the test has no verdict, unless it says why
// none can.
func TestUntested(t *testing.T) {
	for _, x := range []struct {
		name    string
		ops     int
		reason  func(*model.System) string
		is      verdict.Verdict
		limit   string
		vacuous string
	}{
		{name: "one message a sender, no reason", ops: 1, is: verdict.Inconclusive, limit: verdict.Untested},
		{name: "one message a sender", ops: 1, reason: claims.Group{}.FIFOOrder().Vacuous, is: verdict.Holds, vacuous: "nobody multicasts twice"},
		{name: "two messages", ops: 2, is: verdict.Holds},
		{name: "two messages, and a reason that is not needed", ops: 2, reason: func(*model.System) string { return "never" }, is: verdict.Holds},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := *causal.Protocol
			claim, err := p.Claim("FIFO order")
			require.NoError(t, err)
			claim.Vacuous = x.reason
			p.Claims = []model.Claim{claim}
			c := model.Check{Config: model.Config{N: 2}.With(model.Ops.Is(x.ops), multicast.Senders.Is(1))}
			rows, err := Run(&p, c, verdict.Options{})
			require.NoError(t, err)
			r := rows[0].Claims[0]
			assert.Equal(t, x.is, r.Verdict, r.Text)
			assert.Equal(t, x.is, rows[0].Verdict)
			assert.Equal(t, x.limit, r.Limit.String())
			assert.Equal(t, x.vacuous, r.Vacuous)
			assert.Equal(t, x.ops > 1, r.Witnessed)
		})
	}
}

// A goal that no run of a system can reach is not claimed of it, and one that a run might reach is violated.
func TestUnreachable(t *testing.T) {
	for _, x := range []struct {
		reason string
		is     verdict.Verdict
		text   string
	}{
		{"there is one ballot", verdict.NotClaimed, "no run can reach the goal: there is one ballot"},
		{"", verdict.Violated, "the search is complete and the goal was never reached"},
	} {
		p := *multipaxos.Protocol
		claim, err := p.Claim("a gap is filled with a no-op")
		require.NoError(t, err)
		claim.Vacuous = func(*model.System) string { return x.reason }
		p.Claims = []model.Claim{claim}
		c := model.Check{Config: model.Config{N: 1}.With(ballots.Ballots.Is(1), multipaxos.Instances.Is(2), ballots.Learners.Is(0))}
		rows, err := Run(&p, c, verdict.Options{})
		require.NoError(t, err)
		assert.Equal(t, x.is, rows[0].Claims[0].Verdict)
		assert.Equal(t, x.text, rows[0].Claims[0].Text)
	}
}
