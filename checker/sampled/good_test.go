package sampled_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/exemplar"
	"contend/checker/judge"
	"contend/impl/backoff"
	"contend/impl/bully"
	"contend/impl/multicast/basic"
	"contend/impl/ordering"
	"contend/model"
	"contend/model/world"
	"contend/traces/replay"
)

// found is the run that shows a kind best, replayed as it is kept: no claim is broken in it.
func found(t *testing.T, p *model.Protocol, c model.Check, name string, workers int) (*replay.Run, *checker.Good) {
	t.Helper()
	kind, ok := exemplar.Find(name)
	require.True(t, ok)
	good, err := checker.FindGood(p, c, kind, checker.Options{Seed: 1, Workers: workers})
	require.NoError(t, err)
	require.NotNil(t, good.Trace)
	run, err := replay.Replay(p, good.Trace, judge.Watched(p.Statements()))
	require.NoError(t, err)
	assert.Empty(t, run.World.Violations)
	assert.Empty(t, good.Trace.Claim)
	assert.True(t, run.World.Done())
	return run, good
}

// strikes counts the moves of a kind.
func strikes(run *replay.Run, kind model.EventKind) (n int) {
	for _, r := range run.Records {
		if r.Move.Kind == kind {
			n++
		}
	}
	return n
}

// A run is chosen for what it shows, of protocols that have nothing in common.
func TestGoodRuns(t *testing.T) {
	faults := func(f model.Faults) model.Config { return model.Config{Faults: f} }
	for _, c := range []struct {
		p      *model.Protocol
		kind   string
		config model.Config
		shows  model.EventKind
		n      int // schedules
	}{
		{backoff.Protocol, "uncontended", model.Config{N: 3}, model.Return, 20},
		{backoff.Protocol, "contended", model.Config{N: 3}, model.Timeout, 100},
		{ordering.Protocol, "liar", model.Config{N: 7, B: 1}, model.Forge, 20},
		{bully.Protocol, "crash", faults(model.Faults{Restarts: 1}), model.Crash, 200},
		{basic.Protocol, "loss", faults(model.Faults{Loss: 1}), model.Lose, 100},
		{basic.Protocol, "duplicate", faults(model.Faults{Duplication: 1}), model.Duplicate, 100},
	} {
		t.Run(c.p.Name+", "+c.kind, func(t *testing.T) {
			run, good := found(t, c.p, model.Check{Config: c.config, Reading: model.Dense, Schedules: c.n}, c.kind, 2)
			assert.Positive(t, strikes(run, c.shows))
			assert.Equal(t, c.n, good.Sampled)
			assert.LessOrEqual(t, good.Fitting, good.Passing)
			m := exemplar.Of(run.World.System, run.Records, true)
			assert.Equal(t, c.kind == "uncontended", m.Overlaps == 0 && m.Operations > 1, "%+v", m)
		})
	}
}

// One seed gives one run, however many workers there are, and it goes on until nothing is left to happen.
func TestGoodRunIsOne(t *testing.T) {
	c := model.Check{Reading: model.Dense, Schedules: 60}
	one, _ := found(t, basic.Protocol, c, "contended", 1)
	three, _ := found(t, basic.Protocol, c, "contended", 3)
	assert.Equal(t, one.Trace, three.Trace)
	assert.Empty(t, slices.DeleteFunc(one.World.Moves(), func(m world.Move) bool { return m.Kind.Adversarial() }))
}

// A run of a mutant that breaks a claim is passed over, however well it would show what is asked for.
func TestGoodRunOfMutant(t *testing.T) {
	kind, _ := exemplar.Find("contended")
	c := model.Check{Variant: "lease-delta", Config: model.Config{N: 1}, Reading: model.Dense, Schedules: 300}
	good, err := checker.FindGood(backoff.Protocol, c, kind, checker.Options{Seed: 1})
	require.NoError(t, err)
	assert.Less(t, good.Passing, good.Sampled)
	require.NotNil(t, good.Trace)
	run, err := replay.Replay(backoff.Protocol, good.Trace, judge.Watched(backoff.Protocol.Statements()))
	require.NoError(t, err)
	assert.Empty(t, run.World.Violations)
}

// That nothing is found is said by the counts, and a configuration that cannot show what is asked for is
// bad input.
func TestNoGoodRun(t *testing.T) {
	kind, _ := exemplar.Find("liar")
	_, err := checker.FindGood(backoff.Protocol, model.Check{Config: model.Config{N: 3}, Reading: model.Dense, Schedules: 5}, kind, checker.Options{})
	assert.ErrorContains(t, err, "show is liar, but the configuration has no Byzantine node: -b ")
}
