package traces_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
)

// FuzzRead checks that reading and replaying any bytes ends in a run or an error, and that writing a trace that
// was read restores it. The corpus is in testdata/fuzz.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := traces.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		once := toy.Encode(t, tr)
		require.Equal(t, tr, toy.Clone(t, tr))
		require.Equal(t, string(once), string(toy.Encode(t, toy.Clone(t, tr))))
		tr.Protocol = backoff.Protocol.Name // others are refused at once
		run, err := replay.Replay(backoff.Protocol, tr, nil)
		var d *replay.Divergence
		if run == nil || err != nil && !errors.As(err, &d) {
			return
		}
		require.NoError(t, show.Text(io.Discard, run, show.Style{Color: true}))
	})
}

// TestCorpus checks that the seeds of FuzzRead have the present format.
func TestCorpus(t *testing.T) {
	dir := filepath.Join("testdata", "fuzz", "FuzzRead")
	for name, data := range seeds(t) {
		entry := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
		path := filepath.Join(dir, name)
		if *update {
			require.NoError(t, os.MkdirAll(dir, 0o755))
			require.NoError(t, os.WriteFile(path, []byte(entry), 0o644))
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(kept), entry, "go test ./traces -update writes it anew")
	}
}

// lasso claims, wrongly, that its one step repeats forever.
const lasso = `{"version":1,"protocol":"backoff","config":{"n":1,"clients":1,"ops":1,"tries":1},"time":"dense","claim":"Corollary 2",` +
	`"loop":1,"noReturn":{"after":1,"atLatest":true},"steps":[{"kind":"invoke","to":"c1","type":"backoff.Contend","occurrence":1,"at":"0","value":{}}]}`

// seeds returns runs of each sort, and texts that are almost runs.
func seeds(t *testing.T) map[string][]byte {
	all := model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}
	liar := model.Config{N: 6, B: 1}
	out := map[string][]byte{
		"timed":      toy.Encode(t, toy.Passing(t)),
		"violated":   toy.Encode(t, toy.Violating(t)),
		"untimed":    toy.Encode(t, toy.Driven(t, backoff.Protocol, model.Config{N: 1}, false, 1)),
		"liar":       toy.Encode(t, toy.Driven(t, backoff.Protocol, liar, true, 2)),
		"faults":     toy.Encode(t, toy.Driven(t, backoff.Protocol, model.Config{N: 2, Faults: all}, true, 3)),
		"huge-ticks": []byte(at("999999999999999999/1048576")),
		"exponent":   []byte(at("1e999999999/3")),
		"null":       []byte(`{"version":1,"protocol":"backoff","config":null,"time":"dense","steps":null}`),
		"beyond":     []byte(`{"version":1,"protocol":"backoff","config":{"n":2,"b":10,"quorum":32,"beyondBounds":true},"time":"untimed","claim":"Lemma 1","steps":[]}`),
		"negative":   []byte(`{"version":1,"protocol":"backoff","config":{"n":-1,"tries":-9223372036854775808},"time":"untimed","steps":[]}`),
		"loop":       []byte(`{"version":1,"protocol":"backoff","config":{"n":1},"time":"dense","claim":"Corollary 2","loop":1,"noReturn":{"after":0},"steps":[]}`),
		"lasso":      []byte(lasso),
		"version-2":  []byte(`{"version":2}`),
	}
	out["truncated"] = out["timed"][:len(out["timed"])/2]
	out["status"] = bytes.ReplaceAll(out["liar"], []byte(`"Status":1`), []byte(`"Status":99`))
	return out
}
