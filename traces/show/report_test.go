package show_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// crashes returns a run in which two nodes crash in turn, with the given number of steps.
func crashes(t *testing.T, steps int) *replay.Run {
	t.Helper()
	node := func() model.Node { return &forgetful{} }
	w, err := world.New(&model.System{Nodes: []model.NodeSpec{{Name: "a", New: node}, {Name: "b", New: node}}}, nil, world.Options{})
	require.NoError(t, err)
	run := &replay.Run{Trace: &traces.Trace{Protocol: "p", Time: "untimed", Claim: "goal", Steps: make([]traces.Step, steps)}, World: w, Parts: 1}
	for i := range steps {
		run.Records = append(run.Records, world.Record{Move: world.Move{Kind: model.Crash, Node: model.NodeID(i % 2)}})
	}
	return run
}

// notes returns the notes of a run, each after the number of its step.
func notes(run *replay.Run) (all []string) {
	for _, n := range show.NewReport(run).Notes {
		all = append(all, fmt.Sprintf("%d %s", n.Step, n.Text))
	}
	return all
}

// Notes on the loop are at its first and last step. That on the point of no return is after the last step
// before it, or at the end.
func TestHowItGoesOn(t *testing.T) {
	none := "from here on the goal cannot be reached"
	for _, c := range []struct {
		loop  int
		point *traces.NoReturn
		want  []string
	}{
		{0, nil, nil},
		{1, nil, []string{"0 ↻ steps 1 to 3 repeat for ever:", "3 ↻ on with step 1"}},
		{2, nil, []string{"1 ↻ steps 2 to 3 repeat for ever:", "3 ↻ on with step 2"}},
		{3, nil, []string{"2 ↻ step 3 repeats for ever:", "3 ↻ on with step 3"}},
		{0, &traces.NoReturn{}, []string{"0 ⊘ " + none}},
		{0, &traces.NoReturn{After: 2}, []string{"2 ⊘ " + none}},
		{0, &traces.NoReturn{After: -1}, []string{"3 ⊘ the goal can be reached still, but the run does not go there"}},
		{0, &traces.NoReturn{Unknown: "states: 5"}, []string{"3 ⊘ it is not known from where on the goal cannot be reached: the limit is states: 5"}},
		{2, &traces.NoReturn{After: 1}, []string{"1 ⊘ " + none, "1 ↻ steps 2 to 3 repeat for ever:", "3 ↻ on with step 2"}},
	} {
		run := crashes(t, 3)
		run.Trace.Loop, run.Trace.NoReturn = c.loop, c.point
		assert.Equal(t, c.want, notes(run), "%d %v", c.loop, c.point)
	}
	run := crashes(t, 3)
	run.Trace.NoReturn, run.Records = &traces.NoReturn{After: -1}, run.Records[:2]
	assert.Empty(t, notes(run), "a run that does not come to its end does not go on from there")
}

// A violation is reported once, below its first step, and each claim once in the verdict.
func TestViolationsAreToldOnce(t *testing.T) {
	run := crashes(t, 3)
	run.World.Violations = []world.Violation{
		{Claim: "goal", Text: "one", Step: 0}, {Claim: "goal", Text: "one", Step: 2}, {Claim: "goal", Text: "two", Step: 2}, {Claim: "goal", Text: "three", Step: 2}, {Claim: "other", Text: "one", Step: 3},
	}
	told := show.NewReport(run)
	assert.Equal(t, []show.Note{
		{Step: 0, Text: "✗ goal is violated: one", Broken: true}, {Step: 2, Text: "✗ goal is violated: two", Broken: true}, {Step: 2, Text: "✗ goal is violated: three", Broken: true}, {Step: 3, Text: "✗ other is violated: one", Broken: true},
	}, told.Notes)
	assert.Equal(t, []show.Result{{Text: "goal is violated at step 0", Bad: true}, {Text: "other is violated at step 3", Bad: true}}, told.Result)
}

// The verdict has the results of the run. A counterexample or a diverged run ends with its last state.
func TestWhatCameOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*replay.Run)
		result show.Result
		end    bool
	}{
		"a claim is broken": {func(r *replay.Run) { r.World.Violations = []world.Violation{{Claim: "goal", Step: 1}} }, show.Result{Text: "goal is violated at step 1", Bad: true}, true},
		"a goal is missed":  {func(*replay.Run) {}, show.Result{Text: "goal is violated: its goal is not reached", Bad: true}, true},
		"no claim is named": {func(r *replay.Run) { r.Trace.Claim = "" }, show.Result{Text: "no claim that was watched is violated"}, false},
		"it comes to a cost": {func(r *replay.Run) { r.Trace.Claim, r.Trace.Cost = "", &traces.Cost{Name: "messages", Number: 4} },
			show.Result{Text: "messages: 4"}, false},
		"it breaks what a cost is of": {func(r *replay.Run) {
			r.Trace.Claim, r.Trace.Cost, r.World.Violations = "", &traces.Cost{Name: "messages", Number: 4}, []world.Violation{{Claim: "goal", Step: 1}}
		}, show.Result{Text: "goal is violated at step 1", Bad: true}, false},
		"it is no run": {func(r *replay.Run) { r.Diverged = &replay.Divergence{Step: 2, Text: "step 2 cannot be"} }, show.Result{Text: "step 2 cannot be", Bad: true}, true},
		"it is no run, and names no claim": {func(r *replay.Run) {
			r.Trace.Claim, r.Diverged = "", &replay.Divergence{Step: 2, Text: "step 2 cannot be"}
		},
			show.Result{Text: "step 2 cannot be", Bad: true}, true},
	} {
		run := crashes(t, 3)
		c.change(run)
		told := show.NewReport(run)
		assert.Equal(t, []show.Result{c.result}, told.Result, name)
		assert.Equal(t, c.end, told.End != nil, name)
	}
}

// The header has all available information. In a world of finer ticks it has the number of parts of a tick.
func TestHead(t *testing.T) {
	run := crashes(t, 0)
	assert.Equal(t, "p", show.NewReport(run).Title)
	run.Trace.Variant = "v"
	assert.Equal(t, "p/v", show.NewReport(run).Title)
	assert.Equal(t, []show.Fact{{Subject: "time", Text: "untimed"}, {Subject: "claim", Text: "goal"}}, show.NewReport(run).Head)
	run.Trace.Time, run.Trace.Cost, run.Trace.Text, run.Trace.Note = "dense", &traces.Cost{Name: "messages", Number: 4}, "so", "well"
	assert.Equal(t, []show.Fact{{Subject: "time", Text: "dense, in ticks"}, {Subject: "cost", Text: "messages: 4"}, {Subject: "claim", Text: "goal"}, {Subject: "broken", Text: "so"}, {Subject: "note", Text: "well"}},
		show.NewReport(run).Head)
	run.World.System.Drift = model.Drift{Thousandths: 100}
	assert.Equal(t, fmt.Sprintf("dense, in ticks of which %d make one of the configuration's", model.Drift{Thousandths: 100}.Ticks()), show.NewReport(run).Head[0].Text)
}

// A terminal shows headings in bold, the environment's moves in yellow, the application's view in green, and
// violations in red.
func TestInks(t *testing.T) {
	line := func(kind model.EventKind) show.Line {
		return show.NewLine(1, traces.Step{Kind: kind.String()}, "n", kind.String(), nil)
	}
	told := show.Report{
		Title:  "title",
		Lines:  []show.Line{line(model.Crash), line(model.Return), line(model.Timeout), show.NewLine(1, traces.Step{Kind: "of another time"}, "n", "odd", nil)},
		Notes:  []show.Note{{Step: 1, Text: "goes on"}, {Step: 1, Text: "is broken", Broken: true}},
		Result: []show.Result{{Text: "bad", Bad: true}, {Text: "good"}},
		End: &show.Snapshot{When: "at the end", Nodes: []show.Fact{{Subject: "n", Text: "up"}}, Pending: []show.Fact{{Subject: "n", Text: "m arrives"}}, Left: "1 loss",
			Waits: []show.Fact{{Subject: "n", Text: "waits"}}},
	}
	var b strings.Builder
	require.NoError(t, told.Write(&b, show.Style{Color: true}))
	in := func(ink, text string) string { return "\x1b[" + ink + "m" + text + "\x1b[0m" }
	for _, want := range []string{
		in("1", "title") + "\n\n1  n  " + in("33", "crash") + "\n", "\n1  n  " + in("32", "return") + "\n", "\n1  n  timeout\n", "\n1  n  odd\n", "\n" + in("33", "    goes on") + "\n", "\n" + in("1;31", "    is broken") + "\n",
		"\n" + in("1;31", "✗ bad") + "\n" + in("32", "✓ good") + "\n\n" + in("1", "State at the end") + "\n  n  up\n" + in("1", "Pending") + "\n  n  m arrives\n" +
			in("1", "Faults that may still happen:") + " 1 loss\n" + in("1", "Who waits for what") + "\n  n  waits\n",
	} {
		assert.Contains(t, b.String(), want)
	}
	var plain strings.Builder
	require.NoError(t, told.Write(&plain, show.Style{}))
	assert.NotContains(t, plain.String(), "\x1b")
}

// In a run with effects before its first step no note is shown twice. A violation is shown above the
// continuation of the run.
func TestNotesOfTheStart(t *testing.T) {
	s := newShops(t, false, &model.System{Nodes: []model.NodeSpec{named("a", func(env model.Env, call any) {
		if call == "start" {
			env.Choose(2)
		}
	})}})
	s.run.Trace.Loop, s.run.Trace.Steps = 1, make([]traces.Step, 1)
	s.run.Records = []world.Record{{Move: world.Move{Kind: model.Crash}}}
	s.run.World.Violations = []world.Violation{{Claim: "goal", Text: "it is", Step: 1}}
	assert.Equal(t, []string{"0 ↻ step 1 repeats for ever:", "1 ✗ goal is violated: it is", "1 ↻ on with step 1"}, notes(s.run))
}

// full is a writer that always fails.
type full struct{}

var errFull = errors.New("it is full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A text that cannot be written is an error.
func TestWritingFails(t *testing.T) {
	run := crashes(t, 1)
	assert.ErrorIs(t, show.Text(full{}, run, show.Style{}), errFull)
	assert.ErrorIs(t, show.State(full{}, run, show.Style{}), errFull)
}
