package checker_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// A candidate leads when it is not told that one before it is up: it has heard of the crash of
// each of them.
type candidate struct {
	before []model.NodeID
	Down   map[model.NodeID]bool
	Leads  bool
}

func (c *candidate) Start(model.Env) { c.Leads = len(c.before) == 0 }

func (c *candidate) Suspect(_ model.Env, n model.NodeID) {
	c.Down[n] = true
	c.Leads = !slices.ContainsFunc(c.before, func(b model.NodeID) bool { return !c.Down[b] })
}

func (c *candidate) Trust(_ model.Env, n model.NodeID) {
	delete(c.Down, n)
	c.Leads = c.Leads && !slices.Contains(c.before, n)
}

// electing is a system of three candidates.
func electing(d model.Detector, crash model.CrashModel) *model.Protocol {
	return &model.Protocol{
		Name: "electing",
		Build: func(model.Config) (*model.System, error) {
			s := &model.System{Detector: d}
			var before []model.NodeID
			for i, name := range []string{"a", "b", "c"} {
				those := slices.Clone(before)
				s.Nodes = append(s.Nodes, model.NodeSpec{Name: name, Crash: crash, New: func() model.Node { return &candidate{before: those} }})
				before = append(before, model.NodeID(i))
			}
			return s, nil
		},
		Claims: []model.Claim{
			{Name: "one leader", Kind: model.Always, Invariant: func(nodes []model.Node) error { return oneLeader(nodes) }},
		},
	}
}

func oneLeader(nodes []model.Node) error {
	n := 0
	for _, x := range nodes {
		if c, ok := x.(*candidate); ok && c.Leads {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("%d lead", n)
	}
	return nil
}

func perfect(k model.DetectorKind) model.Detector {
	return model.Detector{Kind: k, Report: model.By(2), Mistake: model.By(1)}
}

// With a perfect detector there is never more than one leader; with one that is wrong for a
// while there are two, and the run says who was wrong. All in every reading.
func TestDetectorsElect(t *testing.T) {
	for _, reading := range []model.Reading{model.Untimed, model.Grid, model.Dense} {
		check := func(d model.Detector, f model.Faults) checker.ClaimResult {
			rows, err := checker.Check(electing(d, model.ByRole), model.Check{Reading: reading, Config: model.Config{Faults: f}, Claims: []string{"one leader"}},
				checker.Options{Workers: 1})
			require.NoError(t, err)
			return rows[0].Claims[0]
		}
		assert.Equal(t, checker.Holds, check(perfect(model.Perfect), model.Faults{Crashes: 2}).Verdict, reading)
		assert.Equal(t, checker.Holds, check(perfect(model.EventuallyPerfect), model.Faults{Crashes: 2}).Verdict, "%v: nothing is wrong", reading)
		found := check(perfect(model.EventuallyPerfect), model.Faults{Suspicions: 1})
		require.Equal(t, checker.Violated, found.Verdict, reading)
		require.Len(t, found.Counterexample.Steps, 1)
		assert.Equal(t, "mistake b model.NodeID", found.Counterexample.Steps[0].String())
		p := electing(perfect(model.EventuallyPerfect), model.ByRole)
		var file bytes.Buffer
		require.NoError(t, traces.Write(&file, found.Counterexample))
		back, err := traces.Read(&file)
		require.NoError(t, err)
		run, err := replay.Replay(p, back, nil)
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, show.Text(&text, run, show.Style{}))
		assert.Contains(t, text.String(), "is told, wrongly, that a is down")
	}
}

// A budget of false suspicions needs a detector that may be wrong.
func TestSuspicionsNeedADetector(t *testing.T) {
	_, err := checker.Check(electing(perfect(model.Perfect), model.ByRole), model.Check{Config: model.Config{Faults: model.Faults{Suspicions: 1}}}, checker.Options{})
	assert.EqualError(t, err, "faults: suspicions is 1, but the failure detector of this system is perfect, and only one that is eventually perfect is ever wrong")
}
