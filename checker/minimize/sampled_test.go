package minimize_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/checker/minimize"
	"contend/impl"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// drawn draws runs of a check until one breaks a claim, and returns its trace; nil if none of so many does.
func drawn(t *testing.T, p *model.Protocol, c model.Check, claim string, runs uint64) *traces.Trace {
	t.Helper()
	s, err := p.System(c.Variant, c.Config)
	require.NoError(t, err)
	h := traces.New(p, c.Variant, s.Config, c.Reading != model.Untimed, claim, "")
	var watched []model.Claim
	for _, w := range judge.Watched(p.Statements()) {
		if w.Name == claim {
			watched = append(watched, w)
		}
	}
	h.Watched = []string{claim}
	const parts = 4
	for seed := range runs {
		r := newRand(seed)
		w, err := world.New(s, watched, world.Options{Timed: h.Timed(), Parts: parts, Boot: chooser(r)})
		require.NoError(t, err)
		if records := walked(w, r, claim); records != nil {
			tr, err := traces.FromRun(h, w, parts, records)
			require.NoError(t, err)
			return tr
		}
	}
	return nil
}

func chooser(r *rand.Rand) world.Chooser { return func(n int, _ string) int { return r.IntN(n) } }

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// walked takes moves at random until the claim breaks; nil if it does not.
func walked(w *world.World, r *rand.Rand, claim string) (records []world.Record) {
	for range 300 {
		rec, ok := walk(w, r)
		if !ok {
			return nil
		}
		records = append(records, rec)
		if slices.ContainsFunc(w.Violations, func(v world.Violation) bool { return v.Claim == claim }) {
			return records
		}
	}
	return nil
}

// walk takes a move at random, at a random time; false if there is none.
func walk(w *world.World, r *rand.Rand) (world.Record, bool) {
	for {
		moves := w.Moves()
		if lies := w.Forgeries(); len(lies) > 0 && (len(moves) == 0 || r.IntN(3) == 0) {
			moves = lies
		}
		if len(moves) == 0 {
			return world.Record{}, false
		}
		m := moves[r.IntN(len(moves))]
		at, late := w.Now, w.Now
		if !m.Kind.Adversarial() {
			at, late, _ = w.Fires(m.Event)
		}
		if late = min(late, at+40); late > at {
			at += world.Time(r.Int64N(int64(late-at) + 1))
		}
		if rec, err := w.Step(m, at, chooser(r)); err == nil { // else it leads beyond a cut
			return rec, true
		}
	}
}

// mutants are runs that were drawn of mutants, each at its own smallest check, of claims that a run by itself breaks.
func mutants(t *testing.T, runs uint64, each int) (all []*traces.Trace) {
	t.Helper()
	n := 0
	for _, p := range impl.Suite {
		for _, v := range p.Variants {
			claim, err := p.Claim(v.Breaks)
			if err != nil || claim.Kind != model.Always && claim.Kind != model.Linearizable {
				continue
			}
			if n++; n%each != 0 {
				continue
			}
			c := v.Show
			c.Variant = v.Name
			if tr := drawn(t, p, c, claim.Name, runs); tr != nil {
				all = append(all, tr)
			}
		}
	}
	return all
}

// No single step of a drawn run that was minimised can be left out, and it is shorter than what was drawn.
func TestDrawnRuns(t *testing.T) {
	each := 9
	if *full {
		each = 1
	}
	var from, to int
	var text strings.Builder
	all := mutants(t, 60, each)
	require.Greater(t, len(all), 8)
	for _, tr := range all {
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		p := impl.Suite[i]
		t.Run(tr.Protocol+"/"+tr.Variant, func(t *testing.T) {
			is, report, err := minimize.Minimize(p, tr, minimize.Options{})
			require.NoError(t, err)
			assert.True(t, report.Locally)
			_, err = replay.Replay(p, is, judge.Watched(p.Statements()))
			require.NoError(t, err)
			nothingLess(t, p, is)
			from, to = from+len(tr.Steps), to+len(is.Steps)
			fmt.Fprintf(&text, "%s/%s: %s", tr.Protocol, tr.Variant, told(is, report))
		})
	}
	if !*full {
		became(t, "drawn.txt", text.String())
	}
	t.Logf("%d runs, of %d steps in all, became %d", len(all), from, to)
	assert.Less(t, to, from)
}
