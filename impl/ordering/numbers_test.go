package ordering

import (
	"bytes"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/record"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

var update = flag.Bool("update", false, "write the kept run of reflects-highest again")

// With the highest number of each client, a state that is proposed in vain reflects an operation that was not executed
// on it. No search reaches this. The run is written by hand, and recorded as a finding. With the exact set, the same
// run keeps the claim.
func TestHighestNumbersReflectTooMuch(t *testing.T) {
	c := model.Config{N: 3}.With(model.Ops.Is(2), Attempts.Is(1))
	s, err := Protocol.System("reflects-highest", c)
	require.NoError(t, err)
	d := drive(t, s)
	d.do("c2 submits", "c2 contends", "c2→s1 get 1", "s1→c2 got 1")
	d.do("c1 submits", "c1→s1,s2 submit", "c1 contends", "c1→s1,s2 get 2", "s1,s2→c1 got 2")
	d.do("c1→s1,s2 propose 2", "s1,s2→c1 done propose 2", "c1→s1 commit 2", "s1→c1 response", "c1 return")
	d.step(d.named("c1 submits"), 1) // to s1 and s3
	d.do("c1→s3 submit", "c2→s3 get 1", "s3→c2 got 1")

	const claim = "Lemma 4 (3), by rank"
	header := traces.New(Protocol, "reflects-highest", s.Config, false, claim,
		"the state of version 1 that is proposed with rank 1 is not made from the one before by the operations it reflects")
	header.Watched = []string{claim}
	run, err := traces.FromRun(header, d.World, 1, d.records)
	require.NoError(t, err)
	if *update {
		require.NoError(t, traces.Save("findings/sequence-numbers.json", run))
	}
	var written bytes.Buffer
	require.NoError(t, traces.Write(&written, run))
	assert.Equal(t, string(sequenceNumbersRefuted), written.String(), "go test ./impl/ordering -run HighestNumbers -update")

	run.Variant = ""
	_, err = replay.Replay(Protocol, run, nil)
	assert.ErrorContains(t, err, "the trace ends, but", "by the exact set")
	_, err = record.Reproduce(Protocol, model.Finding{Variant: "reflects-highest", Claim: claim, Trace: sequenceNumbersRefuted})
	assert.NoError(t, err)
}
