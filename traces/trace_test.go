package traces_test

import (
	"flag"
	"fmt"
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
)

var update = flag.Bool("update", false, "write the golden files anew")

var threeServers = model.Config{N: 3}.With(model.Clients.Is(2))

// TestRoundTrip: a run that is recorded, written, read and replayed is the same run,
// final state included.
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
		{"timed", backoff.Protocol, "", threeServers, true, 40},
		{"untimed", backoff.Protocol, "", threeServers, false, 40},
		{"liar", backoff.Protocol, "", model.Config{N: 6, B: 1}, true, 40},
		{"faults", backoff.Protocol, "", model.Config{N: 3, Faults: all}, true, 40},
		{"mutant", backoff.Protocol, "forgetful", threeServers, true, 40},
		{"toy", toy, "", model.Config{N: 2, Faults: every}, true, 400},
		{"toy untimed", toy, "", model.Config{N: 2, Faults: every}, false, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			kinds := map[string]bool{}
			for seed := range c.runs {
				tr, w := drive(t, c.protocol, c.variant, c.config, c.timed, watchable(c.protocol), seed)
				back := again(t, tr)
				require.Empty(t, cmp.Diff(tr, back))
				run, err := traces.Replay(c.protocol, back, nil)
				require.NoError(t, err)
				require.Equal(t, ending(w), ending(run.World))
				require.Len(t, run.Records, len(tr.Steps))
				for _, s := range tr.Steps {
					kinds[s.Kind] = true
				}
			}
			if c.protocol == toy {
				for kind := model.Deliver; kind < model.EventKinds; kind++ {
					require.True(t, kinds[kind.String()], "no run has %v", kind)
				}
			}
		})
	}
}

// TestKept replays every trace in testdata.
func TestKept(t *testing.T) {
	if *update {
		require.NoError(t, traces.Save(filepath.Join("testdata", "backoff-pass.json"), passing(t)))
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
			_, err = traces.Replay(impl.Suite[i], tr, judge.Watched(impl.Suite[i].Statements()))
			require.NoError(t, err)
			kept, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(kept), string(written(t, tr)), "the file is not as Save writes it")
		})
	}
}

// passing is the shortest of some runs in which both contends return and a backoff
// is slept through.
func passing(t testing.TB) *traces.Trace {
	var best *traces.Trace
	for seed := range uint64(400) {
		tr, w := drive(t, backoff.Protocol, "", threeServers, true, nil, seed)
		slept := slices.ContainsFunc(tr.Steps, func(s traces.Step) bool { return s.Kind == "timeout" })
		if w.Done() && slept && (best == nil || len(tr.Steps) < len(best.Steps)) {
			best = tr
			best.Note = fmt.Sprintf("both contends return, one after a backoff (seed %d of the tests)", seed)
		}
	}
	require.NotNil(t, best)
	return best
}

// TestSaveIsAtomic: a trace that cannot be written leaves the file as it was.
func TestSaveIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.json")
	tr, _ := drive(t, backoff.Protocol, "", threeServers, true, nil, 1)
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

// Traces that earlier versions wrote replay still, though types have other names now.
func TestFormerTracesReplay(t *testing.T) {
	paths, err := filepath.Glob("testdata/former/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		tr, err := traces.Load(path)
		require.NoError(t, err)
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		p := impl.Suite[i]
		_, err = traces.Replay(p, tr, judge.Watched(p.Statements()))
		require.NoError(t, err, path)
	}
}
