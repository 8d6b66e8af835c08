package show_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"contend/impl/backoff"
	"contend/model"
	"contend/traces"
	"contend/traces/internal/toy"
	"contend/traces/replay"
	"contend/traces/show"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The text equals the golden files.
func TestText(t *testing.T) {
	all := model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}
	unreached := toy.Trace(model.Config{}, true, "in the end", nil, toy.Invoke)
	unreached.Text, unreached.Note = "it stops", "two lines\nof a comment"
	for _, c := range []struct {
		name     string
		protocol *model.Protocol
		trace    *traces.Trace
	}{
		{"backoff-pass", backoff.Protocol, toy.Passing(t)},
		{"backoff-violated", backoff.Protocol, toy.Violating(t)},
		{"backoff-liar-untimed", backoff.Protocol, credited(toy.Driven(t, backoff.Protocol, model.Config{N: 6, B: 1}, false, 5))},
		{"toy-faults", toy.Protocol, eventful(t, all)},
		{"toy-unreached", toy.Protocol, unreached},
		{"toy-diverges", toy.Protocol, toy.Trace(model.Config{}, true, "two", nil, toy.Invoke, toy.Ask, toy.Ask)},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, _ := replay.Replay(c.protocol, c.trace, nil) // a divergence leaves the run up to it
			require.NotNil(t, run)
			golden(t, c.name, text(t, run, false))
			require.Equal(t, text(t, run, false), uncolored(text(t, run, true)))
		})
	}
}

// credited sets the adversary of the first forged message.
func credited(t *traces.Trace) *traces.Trace {
	t.Steps[slices.IndexFunc(t.Steps, func(s traces.Step) bool { return s.Kind == "forge" })].Adversary = "replay"
	return t
}

// The state after each step is the state of the run so far. The state after the last step ends the text of a
// counterexample.
func TestState(t *testing.T) {
	tr := toy.Violating(t)
	var all strings.Builder
	for step := range len(tr.Steps) + 1 {
		run, err := replay.Until(backoff.Protocol, tr, nil, step)
		require.NoError(t, err)
		require.Len(t, run.Records, step)
		require.NoError(t, show.State(&all, run, show.Style{}))
		all.WriteString("\n")
	}
	golden(t, "backoff-states", all.String())
	run, err := replay.Replay(backoff.Protocol, tr, nil)
	require.NoError(t, err)
	var last strings.Builder
	require.NoError(t, show.State(&last, run, show.Style{}))
	require.True(t, strings.HasSuffix(text(t, run, false), "\n\n"+last.String()))
	require.True(t, strings.HasSuffix(all.String(), last.String()+"\n"))
	for _, step := range []int{-1, len(tr.Steps) + 1} {
		_, err := replay.Until(backoff.Protocol, tr, nil, step)
		require.ErrorContains(t, err, "but must be 0, before the first step, to 12")
	}
}

// eventful returns the run of the toy protocol with the most kinds of events.
func eventful(t *testing.T, f model.Faults) *traces.Trace {
	var best *traces.Trace
	most := 0
	for seed := range uint64(400) {
		tr, _ := toy.Drive(t, toy.Protocol, "", model.Config{Faults: f}, true, toy.Claim(t, toy.Protocol, "patience"), seed)
		kinds := map[string]bool{}
		for _, s := range tr.Steps {
			kinds[s.Kind] = true
		}
		if len(kinds) > most {
			best, most = tr, len(kinds)
		}
	}
	return best
}

func text(t *testing.T, run *replay.Run, color bool) string {
	var b bytes.Buffer
	require.NoError(t, show.Text(&b, run, show.Style{Color: color}))
	return b.String()
}

func uncolored(s string) string {
	return strings.TrimSpace(regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(s, "")) + "\n"
}

func golden(t *testing.T, name, got string) {
	path := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./traces/show -update writes it anew")
	for line := range strings.Lines(got) {
		require.Less(t, utf8.RuneCountInString(line), 102, line)
	}
}
