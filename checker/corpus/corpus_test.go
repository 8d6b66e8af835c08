package corpus_test

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/checker/corpus"
	"contend/checker/sample"
	"contend/checker/verify/starter"
	"contend/impl"
	"contend/model"
	"contend/traces"
)

// target makes runs of one system only, that of a trace.
func target(t *testing.T, tr *traces.Trace) checker.Target {
	t.Helper()
	for _, p := range impl.Suite {
		if p.Name == tr.Protocol {
			return checker.Target{Protocol: p, Configure: func(c sample.Choices) model.Check {
				c.Choose(3) // bytes that mean nothing are no hindrance
				return model.Check{Variant: tr.Variant, Config: tr.Config.Model(), Claims: tr.Watched}
			}}
		}
	}
	t.Fatalf("there is no protocol %s", tr.Protocol)
	return checker.Target{}
}

// again are the steps that a target takes by bytes.
func again(t *testing.T, tg checker.Target, data []byte) ([]traces.Step, error) {
	t.Helper()
	out, broken := tg.Run(data)
	c := sample.Bytes(data)
	trial, err := tg.Trial(c, false)
	require.NoError(t, err)
	require.NoError(t, out.Err)
	sample.Run(trial.World, c, sample.Bounds{World: trial.Reading}) // the steps name what came to be in it
	s := trial.World.System
	tr, err := traces.FromRun(traces.New(tg.Protocol, "", s.Config, trial.Reading.Timed, "", ""), trial.World, trial.Reading.Parts, out.Records)
	require.NoError(t, err)
	return tr.Steps, broken
}

var full = flag.Bool("full", false, "take all kept traces, and not each fourth")

// The bytes of a kept trace lead to its very steps, and where the trace violates a claim in its last step to a failure
// of that claim.
func TestKeptTracesRoundTrip(t *testing.T) {
	files, err := filepath.Glob("../../traces/testdata/*.json")
	require.NoError(t, err)
	entries, finite, failures := 0, 0, 0
	for k, file := range files {
		if k%4 != 0 && !*full {
			continue
		}
		tr, err := traces.Load(file)
		require.NoError(t, err)
		if tr.Config.Model().N > 5 || len(tr.Steps) > 40 || testing.Short() && len(tr.Steps) > 8 {
			continue // they take seconds each
		}
		tg := target(t, tr)
		data, err := corpus.Entry(tg, tr)
		require.NoError(t, err, file)
		if c, err := tg.Protocol.Claim(tr.Claim); err == nil && (c.Kind == model.Always || c.Kind == model.Linearizable) {
			finite++
		}
		entries++
		steps, failure := again(t, tg, data)
		require.GreaterOrEqual(t, len(steps), len(tr.Steps), file)
		s, err := tg.Protocol.System(tr.Variant, tr.Config.Model())
		require.NoError(t, err)
		require.Equal(t, unnamed(tr.Renamed(s.Renamed).Steps), unnamed(steps[:len(tr.Steps)]), file)
		var broken *checker.Broken
		if errors.As(failure, &broken) {
			failures++
			require.Equal(t, tr.Claim, broken.Claim, file)
			require.Len(t, broken.Trace.Steps, len(tr.Steps), file)
		}
	}
	t.Logf("%d entries, of which %d are of a claim that a run can violate, and %d fail", entries, finite, failures)
	require.Greater(t, failures, finite/2)
}

// The target of checker.Fuzz makes the runs of the protocol's checks, and of larger systems.
func TestFuzzTargetHasEntries(t *testing.T) {
	p := *starter.Protocol
	p.Checks = []model.Check{{}, {Config: model.Config{}.With(model.Clients.Is(3), model.Ops.Is(1)), Variant: ""}}
	at := func(variant string, c model.Config) ([]byte, error) {
		s, err := p.System(variant, c)
		require.NoError(t, err)
		tr := traces.New(&p, variant, s.Config, true, "", "")
		return corpus.Entry(checker.Target{Protocol: &p}, &tr)
	}
	data, err := at("", model.Config{}.With(model.Clients.Is(5), model.Ops.Is(2)))
	require.NoError(t, err)
	trial, err := checker.Target{Protocol: &p}.Trial(sample.Bytes(data), false)
	require.NoError(t, err)
	require.Equal(t, 5, model.Clients.Of(trial.World.System.Config))
	require.Equal(t, 2, model.Ops.Of(trial.World.System.Config))
	require.True(t, trial.Reading.Timed)

	_, err = at("", model.Config{}.With(model.Clients.Is(1), model.Ops.Is(1)))
	require.ErrorContains(t, err, "config: the target makes no runs of starter with clients=1")
	_, err = at("grants-twice", model.Config{})
	require.ErrorContains(t, err, "config: the target makes no runs of starter/grants-twice with")
}

// What no run of a target does is refused in a sentence.
func TestEntriesAreRefused(t *testing.T) {
	load := func() *traces.Trace {
		tr, err := traces.Load("../../traces/testdata/backoff-lease-delta-lemma-1.json")
		require.NoError(t, err)
		return tr
	}
	tr := load()
	tg := target(t, tr)
	tr.Steps[3].At = "1/7"
	_, err := corpus.Entry(tg, tr)
	require.ErrorContains(t, err, "at: the steps need 14 parts of a tick")

	tr = load()
	tr.Steps[2].Occurrence = 99
	_, err = corpus.Entry(tg, tr)
	require.ErrorContains(t, err, "no run of the target takes it after the steps before it")

	tr = load()
	_, err = corpus.Entry(checker.Target{Protocol: starter.Protocol}, tr)
	require.EqualError(t, err, `protocol is "backoff", but the target is of starter`)
}

// An entry is a file as go test reads it.
func TestEntryIsAFile(t *testing.T) {
	require.Equal(t, "go test fuzz v1\n[]byte(\"\\x00a\\\"\\xff\")\n", string(corpus.Write([]byte{0, 'a', '"', 0xff})))
}

// unnamed leaves out who chose a step, of which an entry says nothing.
func unnamed(steps []traces.Step) []traces.Step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Adversary = ""
	}
	return steps
}
