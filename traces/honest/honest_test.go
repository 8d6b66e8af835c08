package honest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/model"
	"contend/traces"
	"contend/traces/honest"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

// A forged message is shown with the answer of an honest server: another answer, the same, or nothing.
func TestHonest(t *testing.T) {
	for kept, want := range map[string]map[int]string{
		"ordering-b-completed-theorem-1": {
			9:  "an honest s3 would have said RankException{Phase: get, Rank: 1, Highest: 2}",
			16: "an honest s3 would have said RankException{Phase: propose, Rank: 1, Highest: 2}",
			20: "an honest s3 would have said Got{Rank: 2, Pending: {Label{c1, 1}: Append{\"a1\"}, Label{c2, 1}: Append{\"b1\"}}}",
			25: "an honest s3 would have said the same",
		},
		"ordering-b-result-theorem-1-linearizable": {3: "an honest s3 would have said nothing: c1 has not asked it"},
	} {
		tr, err := traces.Load(filepath.Join("..", "testdata", kept+".json"))
		require.NoError(t, err)
		run, err := replay.Replay(ordering.Protocol, tr, judge.Watched(ordering.Protocol.Statements()))
		require.NoError(t, err)
		assert.Equal(t, want, honest.Sentences(run), kept)
	}
}

// If a server asks whether its lease lasts, time determines the answer. In an untimed run both answers are
// possible.
func TestHonestHolds(t *testing.T) {
	for _, timed := range []bool{true, false} {
		either, one := 0, 0
		for seed := range uint64(6) {
			run, err := replay.Replay(backoff.Protocol, toy.Driven(t, backoff.Protocol, model.Config{N: 6, B: 1}, timed, seed), nil)
			require.NoError(t, err)
			honest := honest.Sentences(run)
			for i, r := range run.Records {
				text, lie := honest[i+1]
				require.Equal(t, r.Move.Kind == model.Forge, lie, "step %d", i+1)
				if strings.Contains(text, " or ") {
					either++
				} else if strings.Contains(text, "said Answer") || strings.HasSuffix(text, "the same") {
					one++
				}
			}
		}
		assert.Positive(t, one, "timed %v", timed)
		assert.Equal(t, timed, either == 0, "timed %v", timed)
	}
}

// Of a liar in whose place the protocol has nobody nothing is said.
func TestNobodyHonest(t *testing.T) {
	run, err := replay.Replay(backoff.Protocol, toy.Driven(t, backoff.Protocol, model.Config{N: 6, B: 1}, true, 1), nil)
	require.NoError(t, err)
	require.NotEmpty(t, honest.Sentences(run))
	liar := slices.IndexFunc(run.World.System.Nodes, func(n model.NodeSpec) bool { return n.Byzantine })
	run.World.System.Nodes[liar].New = nil
	assert.Empty(t, honest.Sentences(run))
}
