package browser_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"contend/checker/judge"
	"contend/impl"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/page"
	"contend/traces/replay"
)

// kept returns a run whose trace the repository stores.
func kept(t *testing.T, name string) *replay.Run {
	t.Helper()
	tr, err := traces.Load(filepath.Join("../../traces/testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return replayed(t, tr)
}

func replayed(t *testing.T, tr *traces.Trace) *replay.Run {
	t.Helper()
	i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
	if i < 0 {
		t.Fatalf("there is no protocol %s", tr.Protocol)
	}
	run, err := replay.Replay(impl.Suite[i], tr, judge.Watched(impl.Suite[i].Statements()))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// written returns the file of a run's page.
func written(t *testing.T, run *replay.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, run); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "run.html")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// long returns a run of the given number of steps, up to 100 000, of processes that enter a critical section
// again and again.
func long(t *testing.T, steps int) *replay.Run {
	t.Helper()
	p := ricartagrawala.Protocol
	s, err := p.System("", model.Config{N: 8}.With(model.Ops.Is(1000)))
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(s, nil, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 0))
	var records []world.Record
	for len(records) < steps {
		moves := slices.DeleteFunc(w.Moves(), func(m world.Move) bool { return m.Kind.Adversarial() })
		if len(moves) == 0 {
			t.Fatalf("the run ends after %d steps", len(records))
		}
		r, err := w.Step(moves[random.IntN(len(moves))], w.Now, func(n int, _ string) int { return random.IntN(n) })
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	tr, err := traces.FromRun(traces.New(p, "", s.Config, false, "", ""), w, 1, records)
	if err != nil {
		t.Fatal(err)
	}
	return replayed(t, tr)
}
