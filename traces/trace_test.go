package traces_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/impl/backoff"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A run that is recorded, written, read and replayed is the same run, with the same last state.
func TestRoundTrip(t *testing.T) {
	all := model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}
	every := all
	every.Suspicions, every.Partitions = 1, 1
	for _, c := range []struct {
		name     string
		protocol *model.Protocol
		variant  string
		config   model.Config
		timed    bool
		runs     uint64
	}{
		{"timed", backoff.Protocol, "", toy.ThreeServers, true, 40},
		{"untimed", backoff.Protocol, "", toy.ThreeServers, false, 40},
		{"liar", backoff.Protocol, "", model.Config{N: 6, B: 1}, true, 40},
		{"faults", backoff.Protocol, "", model.Config{N: 3, Faults: all}, true, 40},
		{"mutant", backoff.Protocol, "forgetful", toy.ThreeServers, true, 40},
		{"toy", toy.Protocol, "", model.Config{N: 2, Faults: every}, true, 400},
		{"toy untimed", toy.Protocol, "", model.Config{N: 2, Faults: every}, false, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			kinds := map[string]bool{}
			for seed := range c.runs {
				tr, w := toy.Drive(t, c.protocol, c.variant, c.config, c.timed, toy.Watchable(c.protocol), seed)
				back := toy.Clone(t, tr)
				require.Empty(t, cmp.Diff(tr, back))
				run, err := replay.Replay(c.protocol, back, nil)
				require.NoError(t, err)
				require.Equal(t, toy.Ending(w), toy.Ending(run.World))
				require.Len(t, run.Records, len(tr.Steps))
				for _, s := range tr.Steps {
					kinds[s.Kind] = true
				}
			}
			if c.protocol == toy.Protocol {
				for kind := model.Deliver; kind < model.EventKinds; kind++ {
					require.True(t, kinds[kind.String()], "no run has %v", kind)
				}
			}
		})
	}
}

// Every trace in testdata replays.
func TestKept(t *testing.T) {
	if *update {
		require.NoError(t, traces.Save(filepath.Join("testdata", "backoff-pass.json"), toy.Passing(t)))
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			tr, err := traces.Load(path)
			require.NoError(t, err)
			i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
			require.GreaterOrEqual(t, i, 0, "protocol %s", tr.Protocol)
			_, err = replay.Replay(impl.Suite[i], tr, judge.Watched(impl.Suite[i].Statements()))
			require.NoError(t, err)
			kept, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(kept), string(toy.Encode(t, tr)), "the file is not as Save writes it")
		})
	}
}

// A trace that cannot be written leaves the file unchanged.
func TestSaveIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.json")
	tr, _ := toy.Drive(t, backoff.Protocol, "", toy.ThreeServers, true, nil, 1)
	require.NoError(t, traces.Save(path, tr))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	tr.Version = 2
	require.Error(t, traces.Save(path, tr))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "a temporary file is left behind")
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "broken.json")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
	_, err := traces.Load(path)
	require.EqualError(t, err, path+": trace: the JSON ends too early: it is empty or truncated")
}

// Traces of earlier versions replay, though types have other names now.
func TestFormerTracesReplay(t *testing.T) {
	paths, err := filepath.Glob("testdata/former/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		tr, err := traces.Load(path)
		require.NoError(t, err)
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		p := impl.Suite[i]
		_, err = replay.Replay(p, tr, judge.Watched(p.Statements()))
		require.NoError(t, err, path)
	}
}
