package minimize_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
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

var update = flag.Bool("update", false, "write what runs become to testdata")

// became holds what runs were minimised to, and how many candidates were tried, to a golden file.
func became(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "go test ./checker/minimize -update writes it anew")
}

// told says what a run became.
func told(is *traces.Trace, r minimize.Report) string {
	var all strings.Builder
	fmt.Fprintf(&all, "%s; %d candidates\n", r, r.Tried)
	for _, s := range is.Steps {
		fmt.Fprintf(&all, "  %v\n", s)
	}
	return all.String()
}

var full = flag.Bool("full", false, "minimise all kept traces and not each twelfth")

// kept are the traces of the repository that break a claim or come to a cost, each with its protocol.
func kept(t *testing.T) map[string]*model.Protocol {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "traces", "testdata", "*.json"))
	require.NoError(t, err)
	require.Greater(t, len(files), 300)
	all := map[string]*model.Protocol{}
	for _, f := range files {
		tr, err := traces.Load(f)
		require.NoError(t, err)
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		if i >= 0 && (tr.Claim != "" || tr.Cost != nil) {
			all[f] = impl.Suite[i]
		}
	}
	return all
}

// What is minimised is valid, replays strictly, breaks the same claim and is never larger; and to minimise it again changes nothing.
func TestKeptTraces(t *testing.T) {
	all := kept(t)
	var names []string
	for f := range all {
		names = append(names, f)
	}
	slices.Sort(names)
	var text strings.Builder
	for i, f := range names {
		if !*full && i%12 != 0 && !strings.Contains(f, "suspects-once") && !strings.Contains(f, "forgotten-votes") {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(f), ".json"), func(t *testing.T) {
			p := all[f]
			tr, err := traces.Load(f)
			require.NoError(t, err)
			is, report, err := minimize.Minimize(p, tr, minimize.Options{})
			require.NoError(t, err)
			require.NoError(t, is.Validate())
			_, err = replay.Replay(p, is, judge.Watched(p.Statements()))
			require.NoError(t, err)
			assert.Equal(t, tr.Claim, is.Claim)
			assert.Equal(t, tr.Cost, is.Cost)
			assert.Equal(t, tr.Variant, is.Variant)
			assert.LessOrEqual(t, len(is.Steps), len(tr.Steps))
			assert.Equal(t, tr.Loop > 0, is.Loop > 0)
			assert.Zero(t, report.Refused)
			assert.True(t, covers(p, tr, is), "%v has more than %v", is.Config, tr.Config)
			if report.Locally {
				nothingLess(t, p, is)
			}
			again, _, err := minimize.Minimize(p, is, minimize.Options{})
			require.NoError(t, err)
			assert.Equal(t, len(is.Steps), len(again.Steps))
			fmt.Fprintf(&text, "%s: %s", filepath.Base(f), told(is, report))
		})
	}
	if !*full {
		became(t, "kept.txt", text.String())
	}
}

// covers reports whether a configuration allows all that another allows, as it is built: but for the sizes of quorums, which
// follow from others.
func covers(p *model.Protocol, large, small *traces.Trace) bool {
	a, b := p.Spelled(large.Config.Model()), p.Spelled(small.Config.Model())
	if a.N == 0 {
		s, err := p.System(large.Variant, a)
		if err != nil {
			return false
		}
		a = p.Spelled(s.Config)
	}
	for _, s := range b.Settings() {
		if v, set := a.Setting(s.Name); set && s.Name != model.Quorum.Name && v < s.Value {
			return false
		}
	}
	return a.N >= b.N && a.B >= b.B && a.Drift >= b.Drift && a.Faults.Loss >= b.Faults.Loss && a.Faults.Crashes >= b.Faults.Crashes
}

// nothingLess asserts that no single step of a run can be left out.
func nothingLess(t *testing.T, p *model.Protocol, tr *traces.Trace) {
	t.Helper()
	assert.Empty(t, lessThan(t, p, tr))
}

// lessThan leaves out each step by itself, by another way to take a run than the minimiser's: each step that is left takes the
// oldest event of its name and value, whatever its occurrence, as early as it may be, and what is not possible is left out. It tells of
// each of these runs that breaks the claim in fewer steps.
func lessThan(t *testing.T, p *model.Protocol, tr *traces.Trace) (all []string) {
	t.Helper()
	if tr.Loop > 0 || tr.Cost != nil {
		return nil
	}
	for drop := range tr.Steps {
		if n, broken := leftOut(t, p, tr, drop); broken && n < len(tr.Steps) {
			all = append(all, fmt.Sprintf("without step %d (%v) the claim breaks in %d steps, not %d", drop+1, tr.Steps[drop], n, len(tr.Steps)))
		}
	}
	return all
}

// leftOut takes the steps of a trace but one, and says in how many steps the claim breaks.
func leftOut(t *testing.T, p *model.Protocol, tr *traces.Trace, drop int) (steps int, broken bool) {
	t.Helper()
	less := *tr
	less.Steps, less.NoReturn = nil, nil
	r, err := replay.Begin(p, &less, judge.Watched(p.Statements()), 12)
	require.NoError(t, err)
	claim, _ := r.World.Claim(tr.Claim)
	ends := func() bool {
		if claim.HasGoal() {
			return r.World.Quiescent() && len(r.World.Pending()) == 0 && !r.World.Reached(claim)
		}
		return slices.ContainsFunc(r.World.Violations, func(v world.Violation) bool { return v.Claim == tr.Claim })
	}
	for i, s := range tr.Steps {
		if i == drop {
			continue
		}
		if taken := loosely(r, s); taken {
			steps++
		}
		if ends() {
			return steps, true
		}
	}
	return steps, false
}

// loosely takes a step if an event of its name is there.
func loosely(r *replay.Replayer, s traces.Step) bool {
	for s.Occurrence = min(s.Occurrence, 1); s.Occurrence < 40; s.Occurrence++ {
		if r.Trace.Timed() {
			s.At = traces.Ticks(r.World.Now, 12)
		}
		m, at, text := r.Find(s)
		if text == "" || strings.HasPrefix(text, "it cannot happen at") {
			if m.Event != nil {
				var ok bool
				if at, _, ok = r.World.Fires(m.Event); !ok {
					return false
				}
			}
			_, text = r.Step(m, at, s.Choices)
			return text == ""
		}
		if s.Occurrence == 0 {
			return false
		}
	}
	return false
}
