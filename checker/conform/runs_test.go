package conform

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// drawn returns a random untimed run.
func drawn(t testing.TB, p *model.Protocol, variant string, c model.Config, r *rand.Rand, steps int) *traces.Trace {
	s, err := p.System(variant, c)
	require.NoError(t, err)
	choose := func(n int, _ string) int { return r.IntN(n) }
	w, err := world.New(s, nil, world.Options{Boot: choose})
	require.NoError(t, err)
	var records []world.Record
	for len(records) < steps {
		moves := w.Moves()
		if len(moves) == 0 {
			break
		}
		m := moves[r.IntN(len(moves))]
		if m.Kind.Adversarial() && r.IntN(4) > 0 {
			continue
		}
		rec, err := w.Step(m, 0, choose)
		if _, cut := err.(world.ErrCut); cut {
			continue
		}
		require.NoError(t, err)
		if w.Failed() {
			break
		}
		records = append(records, rec)
	}
	tr, err := traces.FromRun(traces.New(p, variant, p.Filled(c), false, "", ""), w, 1, records)
	require.NoError(t, err)
	return tr
}

// logged returns the log of a run.
func logged(t testing.TB, p *model.Protocol, tr *traces.Trace) string {
	var b bytes.Buffer
	require.NoError(t, Write(&b, p, tr))
	return b.String()
}

// source returns a log as a source.
func source(name, text string) Source { return Source{name, strings.NewReader(text)} }

// check validates a log.
func check(t testing.TB, p *model.Protocol, variant string, c model.Config, opt Options, text string) *Result {
	r, err := Validate(p, variant, c, opt, source("log", text))
	require.NoError(t, err)
	return r
}

func reasons(r *Result) string {
	var b strings.Builder
	for _, s := range r.Stuck {
		fmt.Fprintf(&b, "%s line %d waits %v: %s; field %q; instead %v\n   %s\n", s.Node, s.Line, s.Waits, s.Reason, s.Field, s.Instead, s.Entry)
	}
	return b.String()
}
