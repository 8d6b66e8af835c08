package minimize

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// heaped is a protocol of a node that has letters to itself from the beginning, and two alarms; at the first alarm it writes one more. It is
// claimed to hear less than two letters.
var heaped = &model.Protocol{Name: "heaped",
	Claims: []model.Claim{{Name: "one letter", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if nodes[0].(*heap).Heard == 2 {
			return errors.New("it hears two")
		}
		return nil
	}}},
	Build: func(c model.Config) (*model.System, error) {
		return &model.System{Config: c, Faults: c.Faults, Types: []any{"", letter{}}, Network: model.Network{Delay: model.Anytime()},
			Nodes: []model.NodeSpec{{Name: "h", Role: model.Server, New: func() model.Node { return &heap{} }}}}, nil
	}}

type heap struct{ Heard int }

func (*heap) Start(env model.Env) {
	for _, n := range []int{1, 2, 3, 2} {
		env.Send(env.Self(), letter{Nth: n})
	}
	env.After("write", model.Anytime())
	env.After("rest", model.Anytime())
}

func (*heap) Timeout(env model.Env, key any) {
	if key == "write" {
		env.Send(env.Self(), letter{Nth: 2})
	}
}

func (h *heap) Receive(model.Env, model.NodeID, any) { h.Heard++ }

// A step whose event is there takes it, though another is older, unless the plan goes by age. A step whose event is gone takes the oldest of equal
// value, or else the oldest; what a later step takes is left to that, unless the plan goes by age. A narrow plan takes nothing else.
func TestEventsThatStepsFind(t *testing.T) {
	tr := traces.New(heaped, "", model.Config{}, false, "one letter", "")
	tr.Watched = []string{"one letter"}
	hears := func(nth, n int) traces.Step {
		return traces.Step{Kind: "deliver", From: "h", To: "h", Type: "minimize.letter", Occurrence: nth, Value: fmt.Appendf(nil, `{"Nth":%d,"Count":0}`, n)}
	}
	tr.Steps = []traces.Step{works("h", "write", 1), hears(5, 2), hears(4, 2)}
	m, err := begin(heaped, &tr, Options{})
	require.NoError(t, err)
	gone, there := m.best.records[1].Move, m.best.records[2].Move
	for name, c := range map[string]struct {
		mv     world.Move
		by     matching
		wanted []int // letters by number, or 0 for the second alarm
		want   int   // letter by number, 0 for none
		amiss  bool
	}{
		"its own":                         {there, closest, nil, 4, false},
		"its own, narrowly":               {there, narrow, nil, 4, false},
		"the oldest of its value":         {there, oldest, nil, 2, true},
		"gone":                            {gone, closest, nil, 2, true},
		"gone, one is promised":           {gone, closest, []int{2}, 4, true},
		"gone, both are promised":         {gone, closest, []int{2, 4}, 1, true},
		"gone, three are promised":        {gone, closest, []int{1, 2, 4}, 3, true},
		"gone, all are promised":          {gone, closest, []int{1, 2, 3, 4}, 0, true},
		"gone, an alarm is promised":      {gone, closest, []int{0}, 2, true},
		"gone, narrowly":                  {gone, narrow, nil, 0, true},
		"gone, by age, one is promised":   {gone, oldest, []int{2}, 2, true},
		"gone, by age, both are promised": {gone, oldest, []int{2, 4}, 2, true},
	} {
		run, err := m.start(m.best.stage, 1, nil)
		require.NoError(t, err)
		p := m.plan()
		p.matching = c.by
		f := &follower{execution: run, plan: &p, wanted: map[*world.Event]bool{}}
		for was, b := range m.best.births {
			for _, n := range c.wanted {
				if is := (was.Kind == model.Deliver); b.step == 0 && (is && n == b.nth || !is && n == 0 && b.nth == 2) {
					f.wanted[was] = true
				}
			}
		}
		require.Len(t, f.wanted, len(c.wanted))
		is := 0
		if e := f.event(c.mv); e != nil {
			is = e.Occurrence
		}
		assert.Equal(t, c.want, is, name)
		assert.Equal(t, c.amiss, f.missed, name)
	}
}

// The step that would have taken an event is the one that took the event that the same step made, of the same name, and not one that lost it.
func TestStepsThatComeLater(t *testing.T) {
	tr := traces.New(heaped, "", model.Config{}, false, "one letter", "")
	tr.Watched = []string{"one letter"}
	hears := func(nth, n int) traces.Step {
		return traces.Step{Kind: "deliver", From: "h", To: "h", Type: "minimize.letter", Occurrence: nth, Value: fmt.Appendf(nil, `{"Nth":%d,"Count":0}`, n)}
	}
	tr.Steps = []traces.Step{works("h", "write", 1), works("h", "rest", 2), hears(5, 2), hears(4, 2)}
	m, err := begin(heaped, &tr, Options{})
	require.NoError(t, err)
	run, err := m.start(m.best.stage, 1, nil)
	require.NoError(t, err)
	p := m.plan()
	f := &follower{execution: run, plan: &p, done: make([]bool, 4)}
	later := map[string]int{}
	see := func() {
		for _, e := range f.world.Pending() {
			later[fmt.Sprintf("%v%d", e.Kind, e.Occurrence)], _ = f.later(e)
		}
	}
	see()
	assert.Equal(t, map[string]int{"deliver1": -1, "deliver2": -1, "deliver3": -1, "deliver4": 4, "timeout1": 1, "timeout2": 2}, later)
	require.True(t, f.follow(0))
	clear(later)
	m.best.records[3].Move.Kind = model.Lose
	see()
	assert.Equal(t, map[string]int{"deliver1": -1, "deliver2": -1, "deliver3": -1, "deliver4": -1, "deliver5": 3, "timeout2": 2}, later)
}

// A step gives back what the question was answered before, in order, and what there is no answer to any more with the first; an answer that is too large
// is the largest.
func TestAnswersThatStepsAreGiven(t *testing.T) {
	a := answers{recorded: []world.Choice{{What: "x", Of: 5, Is: 4}, {What: "y", Of: 3, Is: 2}, {What: "x", Of: 5, Is: 3}, {What: "y", Of: 3, Is: 1}}}
	assert.Equal(t, 4, a.next(5, "x"))
	assert.Equal(t, 1, a.next(2, "x"), "the second answer, of which there are fewer now")
	assert.Equal(t, 0, a.next(3, "x"), "none is left")
	assert.Equal(t, 1, a.next(3, "y"), "the one before was passed over")
	assert.Equal(t, 0, a.next(3, "y"))
}

// What has to happen is ordered by its last instant, in parts of a tick; an end that excludes its instant is before it, and none is behind all.
func TestEndsOfWindows(t *testing.T) {
	f := &follower{execution: &execution{parts: 4}}
	end := func(born world.Time, hi model.Bound) int64 {
		return f.end(&world.Event{Born: born, Window: model.Window{Hi: hi}})
	}
	in := []int64{end(0, model.Through(0)), end(2, model.Through(0)), end(0, model.Below(1)), end(0, model.Through(1)), end(1, model.Below(1)), end(1, model.Through(1)),
		end(0, model.Below(2)), end(2, model.Through(2)), end(0, model.Through(1000)), end(0, model.Anytime().Hi)}
	assert.IsIncreasing(t, in)
	assert.Equal(t, end(4, model.Through(1)), end(0, model.Through(2)))
}

// What a later step loses is left to it, and so is what was doubled before a later step takes it.
func TestWhatIsPromisedToLaterSteps(t *testing.T) {
	post := func(kind string, nth int) traces.Step {
		return traces.Step{Kind: kind, From: "h", To: "h", Type: "minimize.letter", Occurrence: nth, Value: []byte(`{"Nth":2,"Count":0}`)}
	}
	for name, c := range map[string]struct {
		steps []traces.Step
		want  []int // of the letters that are taken
	}{
		"lost":    {[]traces.Step{works("h", "write", 1), post("deliver", 5), post("lose", 2), post("deliver", 4)}, []int{1, 2, 4}},
		"doubled": {[]traces.Step{works("h", "write", 1), post("duplicate", 2), post("deliver", 5), post("deliver", 2)}, []int{2, 5, 2}},
	} {
		tr := traces.New(heaped, "", model.Config{Faults: model.Faults{Loss: 1, Duplication: 1}}, false, "one letter", "")
		tr.Watched, tr.Steps = []string{"one letter"}, c.steps
		m, err := begin(heaped, &tr, Options{})
		require.NoError(t, err, name)
		is, _ := m.execute(m.omit(0))
		require.NotNil(t, is, name)
		var took []int
		for _, r := range is.records {
			took = append(took, r.Move.Event.Occurrence)
		}
		assert.Equal(t, c.want, took, name)
	}
}

// All that has to happen before a step happens first, what is due first and of that the oldest.
func TestWhatHasToHappenFirst(t *testing.T) {
	p := &model.Protocol{Name: "due",
		Claims: []model.Claim{{Name: "early", Kind: model.Always, Invariant: func(nodes []model.Node) error {
			if nodes[0].(*due).Late {
				return errors.New("it is late")
			}
			return nil
		}}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{""}, Nodes: []model.NodeSpec{{Name: "d", Role: model.Server, New: func() model.Node { return &due{} }}}}, nil
		}}
	tr := traces.New(p, "", model.Config{}, true, "early", "")
	tr.Watched = []string{"early"}
	tr.Steps = []traces.Step{works("d", "4", 1), works("d", "3", 2), works("d", "3 too", 3), works("d", "late", 4)}
	timed(&tr, "0", "0", "0", "5")
	m, err := begin(p, &tr, Options{})
	require.NoError(t, err)
	is, _ := m.execute(m.omit(0, 1, 2))
	require.NotNil(t, is)
	var keys []any
	var at []world.Time
	for _, r := range is.records {
		keys, at = append(keys, r.Move.Event.Value), append(at, r.At)
	}
	assert.Equal(t, []any{"3", "3 too", "4", "late"}, keys)
	assert.Equal(t, []world.Time{3, 3, 4, 5}, at)
}

type due struct{ Late bool }

func (*due) Start(env model.Env) {
	env.After("4", model.By(4))
	env.After("3", model.By(3))
	env.After("3 too", model.By(3))
	env.After("late", model.Between(5, 9))
}

func (d *due) Timeout(_ model.Env, key any) { d.Late = key == "late" }
