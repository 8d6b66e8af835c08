package toy

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
	"contend/traces"
)

// ThreeServers is a small configuration of backoff.
var ThreeServers = model.Config{N: 3}.With(model.Clients.Is(2))

// Driven returns a random run of a protocol without monitored claims.
func Driven(t testing.TB, p *model.Protocol, c model.Config, timed bool, seed uint64) *traces.Trace {
	tr, _ := Drive(t, p, "", c, timed, nil, seed)
	return tr
}

// Violating returns the shortest of 200 runs in which a mutant violates Lemma 1.
func Violating(t testing.TB) *traces.Trace {
	var best *traces.Trace
	for seed := range uint64(200) {
		tr, w := Drive(t, backoff.Protocol, "forgetful", ThreeServers, true, Claim(t, backoff.Protocol, "Lemma 1"), seed)
		if len(w.Violations) > 0 && (best == nil || len(tr.Steps) < len(best.Steps)) {
			best = tr
		}
	}
	require.NotNil(t, best)
	return best
}

// Passing returns the shortest of 400 runs in which both contends return and one waited for a backoff.
func Passing(t testing.TB) *traces.Trace {
	var best *traces.Trace
	for seed := range uint64(400) {
		tr, w := Drive(t, backoff.Protocol, "", ThreeServers, true, nil, seed)
		slept := slices.ContainsFunc(tr.Steps, func(s traces.Step) bool { return s.Kind == "timeout" })
		if w.Done() && slept && (best == nil || len(tr.Steps) < len(best.Steps)) {
			best = tr
			best.Note = fmt.Sprintf("both contends return, one after a backoff (seed %d of the tests)", seed)
		}
	}
	require.NotNil(t, best)
	return best
}
