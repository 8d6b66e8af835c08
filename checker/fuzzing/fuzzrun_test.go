package fuzzing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/fuzzing"
	"contend/checker/judge"
	"contend/checker/sample"
	"contend/checker/verify/starter"
	"contend/model"
	"contend/traces/replay"
)

// The trace of an input is the run that the target makes of it, and replays, whether or not it violates a claim.
func TestTraceOfInput(t *testing.T) {
	for variant, claim := range map[string]string{"": "", "grants-twice": "mutual exclusion"} {
		tg := checker.Target{Protocol: starter.Protocol, Configure: func(sample.Choices) model.Check { return model.Check{Variant: variant} }}
		data := []byte{0, 0}
		out, _ := tg.Run(data)
		require.NotEmpty(t, out.Records)
		is, err := tg.Trace(data)
		require.NoError(t, err)
		assert.Equal(t, claim, is.Claim)
		assert.Len(t, is.Steps, len(out.Records))
		run, err := replay.Replay(starter.Protocol, is, judge.Watched(starter.Protocol.Claims))
		require.NoError(t, err)
		assert.Len(t, run.Records, len(out.Records))
	}
}

// Inputs of a target are a function of the seed. Those of a protocol that is right violate nothing; of a mutant each claim has one
// run, the smallest, which replays.
func TestInputs(t *testing.T) {
	for variant, claims := range map[string][]string{"": nil, "grants-twice": {"mutual exclusion"}} {
		tg := checker.Target{Protocol: starter.Protocol, Configure: func(sample.Choices) model.Check { return model.Check{Variant: variant} }}
		is, again := tg.Inputs(1, 300, nil, nil), tg.Inputs(1, 300, &fuzzing.Corpus{}, nil)
		require.NoError(t, is.Err)
		assert.Equal(t, 300, is.Runs)
		assert.Equal(t, []int64{is.Steps, int64(is.States)}, []int64{again.Steps, int64(again.States)})
		var broken []string
		for i, b := range is.Broken {
			broken = append(broken, b.Claim)
			_, err := replay.Replay(starter.Protocol, b.Trace, judge.Watched(starter.Protocol.Claims))
			require.NoError(t, err)
			assert.Equal(t, b.Trace, again.Broken[i].Trace)
		}
		assert.Equal(t, claims, broken)
	}
	stop := make(chan struct{})
	close(stop)
	assert.Zero(t, checker.Target{Protocol: starter.Protocol}.Inputs(1, 300, nil, stop).Runs)
}

// Inputs go on from what others found, and tell what they add: a function of the seed and of that. Bytes of a stranger are refused.
func TestCorpusGoesOn(t *testing.T) {
	tg := checker.Target{Protocol: starter.Protocol}
	one := &fuzzing.Corpus{}
	first := tg.Inputs(1, 50, one, nil)
	added := one.Fresh()
	require.NotEmpty(t, added)
	base := &fuzzing.Corpus{}
	require.NoError(t, base.Add(added))
	assert.Positive(t, base.Inputs())
	second := tg.Inputs(2, 50, base, nil)
	more := base.Fresh()
	again := &fuzzing.Corpus{}
	require.NoError(t, again.Add(added))
	assert.Equal(t, second, tg.Inputs(2, 50, again, nil))
	assert.Equal(t, more, again.Fresh())
	assert.Equal(t, second, tg.Inputs(2, 50, base, nil), "what was added is no part of what it begins with")
	alone := tg.Inputs(2, 50, nil, nil)
	assert.NotEqual(t, alone.Steps, second.Steps)
	assert.Greater(t, second.States, max(first.States, alone.States))
	inputs := &fuzzing.Corpus{}
	require.NoError(t, inputs.Add([]byte{1, 0, 3, 0, 0, 0}))
	assert.NotEqual(t, tg.Inputs(2, 8, nil, nil).Steps, tg.Inputs(2, 8, inputs, nil).Steps, "no input is a mutation of one that others found")
	for _, bad := range [][]byte{nil, {9}, added[:1], added[:5], added[:len(added)-1], make([]byte, fuzzing.MostCorpus+1)} {
		assert.Error(t, base.Add(bad))
	}
}

func FuzzCorpus(f *testing.F) {
	found := &fuzzing.Corpus{}
	checker.Target{Protocol: starter.Protocol}.Inputs(1, 20, found, nil)
	f.Add(found.Fresh())
	f.Add([]byte{1, 1, 0, 0, 0, 0, 0, 0, 0, 7, 3, 1, 2, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		is := &fuzzing.Corpus{}
		if is.Add(data) == nil {
			checker.Target{Protocol: starter.Protocol}.Inputs(1, 2, is, nil)
		}
	})
}
