package confirm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/search"
	"contend/checker/search/runs"
	"contend/model"
	"contend/model/costs"
	"contend/model/value"
	"contend/model/world"
)

// A mail is a message of its own window, and says what its receiver does with it.
type mail struct {
	Name   string
	Window model.Window
	Does   string
}

// Receivers do with a mail what each of its letters says.
func mailing(mails ...mail) *model.System {
	s := system(model.Anytime(), actor{start: func(_ *actor, env model.Env) {
		env.Note(0)
		for _, m := range mails {
			env.Send(1, m)
		}
	}}, actor{receive: func(a *actor, env model.Env, m any) {
		for _, does := range m.(mail).Does {
			switch does {
			case 'c': // counts
				a.S++
			case 'n':
				env.Note(1)
			case 'o': // chooses
				env.Choose(2)
			case 's': // sets an alarm
				env.After("it", model.Anytime())
			case 'a': // answers
				env.Send(0, mail{Name: "answer", Window: model.By(9)})
			}
		}
	}})
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window { return m.(mail).Window }
	s.Types = []any{mail{}}
	return s
}

// ahead is a run that has taken no step; what the search absorbed is named.
func ahead(t *testing.T, s *model.System, claims []model.Claim, timed bool, absorbed ...string) *Run {
	t.Helper()
	w, err := world.New(s, claims, world.Options{Timed: timed, Parts: 1})
	require.NoError(t, err)
	run := &Run{World: w, Parts: 1, timed: timed, names: newNames(), Absorbed: map[*world.Event]int{}}
	for _, e := range w.Pending() {
		for _, name := range absorbed {
			if m, is := e.Value.(mail); is && m.Name == name {
				run.Absorbed[e] = 0
			}
		}
	}
	return run
}

// arrived are the names of what was delivered, with the times.
func arrived(run *Run) (names []string, at []world.Time) {
	for _, r := range run.Records {
		m, _ := r.Move.Event.Value.(mail)
		names, at = append(names, m.Name), append(at, r.At)
	}
	return names, at
}

// Before time passes what the search absorbed arrives, at its deadline, and nothing else does.
func TestFlush(t *testing.T) {
	before := func(n model.Ticks) model.Window { return model.Window{Hi: model.Below(n)} }
	for name, c := range map[string]struct {
		mails []mail
		names []string
		at    []world.Time
		says  string
	}{
		"in order of deadlines":           {mails: []mail{{"x", model.By(4), ""}, {"y", model.By(2), ""}, {"z", model.By(5), ""}}, names: []string{"y", "x"}, at: []world.Time{2, 4}},
		"at the last instant":             {mails: []mail{{"x", before(3), ""}}, names: []string{"x"}, at: []world.Time{2}},
		"an open end first":               {mails: []mail{{"x", model.By(3), ""}, {"y", before(3), ""}}, names: []string{"y", "x"}, at: []world.Time{2, 3}},
		"what was not absorbed":           {mails: []mail{{"other", model.By(2), ""}}, says: "time passes 2, when something had to happen that the search did not absorb"},
		"one of two that was":             {mails: []mail{{"other", model.By(2), ""}, {"x", model.By(2), ""}}, names: []string{"x"}, at: []world.Time{2}, says: "time passes 2, "},
		"one of two that had to, first":   {mails: []mail{{"other", model.By(2), ""}, {"x", model.By(3), ""}}, says: "time passes 2, "},
		"one that may come but need not":  {mails: []mail{{"other", model.By(2), ""}, {"late", model.By(2), ""}}, says: "time passes 2, "},
		"one that may come, beside":       {mails: []mail{{"late", model.By(2), ""}, {"x", model.By(2), ""}}, names: []string{"x"}, at: []world.Time{2}},
		"one that does something":         {mails: []mail{{"x", model.By(2), "c"}}, says: "the search absorbed mail{"},
		"one that is answered, and so on": {mails: []mail{{"x", model.By(2), "aa"}}, names: []string{"x"}, at: []world.Time{2}},
	} {
		t.Run(name, func(t *testing.T) {
			run := ahead(t, mailing(c.mails...), nil, true, "x", "y", "z", "late")
			for e := range run.Absorbed {
				e.Optional = e.Value.(mail).Name == "late"
			}
			err := run.flush(5)
			if c.says != "" {
				assert.ErrorContains(t, err, c.says)
			} else {
				assert.NoError(t, err)
			}
			if names, at := arrived(run); c.names != nil {
				assert.Equal(t, c.names, names)
				assert.Equal(t, c.at, at)
			}
		})
	}
}

// What is discarded does nothing but answer, and its answers do nothing from the same step on.
func TestDiscard(t *testing.T) {
	for does, fine := range map[string]bool{"": true, "a": true, "c": false, "n": false, "o": false, "s": false, "no": false, "os": false, "nos": false} {
		run := ahead(t, mailing(mail{"x", model.Anytime(), does}), nil, false, "x")
		e := run.World.Pending()[0]
		run.Absorbed[e] = 3
		if err := run.discard(e, 0); !fine {
			assert.ErrorContains(t, err, ", but it does something", does)
			continue
		} else {
			require.NoError(t, err, does)
		}
		for _, answer := range run.World.Pending() {
			assert.Equal(t, 3, run.Absorbed[answer])
			assert.False(t, run.names.knows(answer))
		}
		assert.False(t, run.names.absorbing)
		assert.Error(t, run.discard(e, 0), "it has arrived")
	}
}

// In a FIFO channel what the search absorbed before a message arrives first; nothing else may stand there.
func TestClear(t *testing.T) {
	for _, c := range []struct {
		does string
		says string
		of   int // the message that is to arrive
	}{
		{"", "", 0}, {"", "", 1}, {"c", "the search absorbed ", 1}, {"", "stands before it in its channel", 2},
	} {
		s := mailing(mail{"x", model.By(3), c.does}, mail{"end", model.By(3), ""}, mail{"end", model.By(3), ""})
		s.Network.Channel = model.FIFO
		run := ahead(t, s, nil, true, "x")
		err := run.clear(world.Move{Kind: model.Deliver, Event: run.World.Pending()[c.of]})
		if c.says != "" {
			assert.ErrorContains(t, err, c.says)
			continue
		}
		assert.NoError(t, err)
		assert.Len(t, run.Records, c.of)
	}
}

// metronome is a monitor with an alarm that rings again and again, as often as it may.
type metronome struct {
	window model.Window
	most   int
	Rings  int
}

func (m *metronome) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && m.Rings == 0 {
		w.After("ring", m.window)
	}
}

func (m *metronome) Expire(w model.Watch, _ any) {
	if m.Rings++; m.Rings < m.most {
		w.After("ring", m.window)
	}
}

// A run settles when all that was absorbed has arrived, the soonest first; alarms of monitors ring only where something
// has to wait for them.
func TestSettle(t *testing.T) {
	x, y := mail{"x", model.Between(3, 4), ""}, mail{"y", model.Between(1, 4), ""}
	other, late := mail{"other", model.By(9), ""}, mail{"late", model.By(2), ""}
	for name, c := range map[string]struct {
		mails   []mail
		timed   bool
		most    int // rings
		window  model.Window
		names   []string // "" is a ring
		says    string
		pending int
	}{
		"nothing":                             {timed: true},
		"the soonest first":                   {mails: []mail{x, y}, timed: true, names: []string{"y", "x"}},
		"in any order where time stands":      {mails: []mail{x, y}, names: []string{"x", "y"}},
		"what was not absorbed stays":         {mails: []mail{other, x}, timed: true, names: []string{"x"}, pending: 1},
		"what may come once more, untimed":    {mails: []mail{late}, names: []string{"late"}},
		"what may come once more, in time":    {mails: []mail{late}, timed: true, pending: 1},
		"with what is answered":               {mails: []mail{{"x", model.By(1), "aa"}}, timed: true, names: []string{"x", "answer", "answer"}},
		"what does something":                 {mails: []mail{{"x", model.By(1), "c"}}, timed: true, says: "the search absorbed "},
		"after alarms":                        {mails: []mail{x}, timed: true, most: 9, window: model.Exactly(2), names: []string{"", "x"}, pending: 1},
		"without alarms where nothing waits":  {mails: []mail{{"x", model.By(1), ""}}, timed: true, most: 9, window: model.Exactly(2), names: []string{"x"}, pending: 1},
		"without alarms where nothing is":     {mails: []mail{other}, timed: true, most: 9, window: model.Exactly(2), pending: 2},
		"nor where only what need not happen": {mails: []mail{late, other}, timed: true, most: 9, window: model.Exactly(2), pending: 3},
		"what cannot arrive in time":          {mails: []mail{{"other", model.By(1), ""}, x}, timed: true, pending: 2},
		"alarms without end":                  {mails: []mail{x}, timed: true, most: 1 << 30, window: model.Exactly(0), says: "alarms of monitors go on and on"},
	} {
		t.Run(name, func(t *testing.T) {
			claims := []model.Claim{{Name: "rings", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &metronome{window: c.window, most: c.most} }}}
			if c.most == 0 {
				claims = nil
			}
			run := ahead(t, mailing(c.mails...), claims, c.timed, "x", "y", "late")
			for e := range run.Absorbed {
				e.Optional = e.Value.(mail).Name == "late"
			}
			err := run.settle()
			if c.says != "" {
				assert.ErrorContains(t, err, c.says)
				return
			}
			require.NoError(t, err)
			names, _ := arrived(run)
			assert.Equal(t, c.names, names)
			assert.Len(t, run.World.Pending(), c.pending)
		})
	}
}

// What the search knows of events: their numbers, in the order in which they come about.
func TestNames(t *testing.T) {
	w := pending(t, 3)
	first, second, third := w.Pending()[0], w.Pending()[1], w.Pending()[2]
	n := newNames()
	n.created(first)
	assert.Equal(t, 1, n.number[first])
	assert.True(t, n.knows(first))
	n.absorbing = true
	n.created(second)
	assert.False(t, n.knows(second), "what comes of an absorbed message")
	n.absorbed[first] = 0
	n.merged(first)
	assert.Equal(t, 1, n.number[first], "it is merged into while another is delivered that was absorbed")
	n.absorbing = false
	n.merged(first)
	n.merged(first)
	assert.Equal(t, 2, n.number[first], "a new one to the search, once in a step")
	n.merged(second)
	assert.False(t, n.knows(second), "one that is in flight in the search, too")
	n.created(third)
	assert.Equal(t, 3, n.number[third])

	again, absorbed, unknown := &world.Event{Repeats: third}, &world.Event{Repeats: first}, &world.Event{Repeats: second}
	n.created(again)
	n.created(absorbed)
	n.created(unknown)
	assert.Equal(t, 3, n.number[again], "it keeps its number")
	assert.False(t, n.knows(absorbed), "it has not arrived there")
	assert.False(t, n.knows(unknown))

	step := runs.Step{Kind: model.Deliver, Value: 2, Occurrence: 3}
	m, err := n.find(w, step)
	require.NoError(t, err)
	assert.Same(t, third, m.Event)
	for _, kind := range []model.EventKind{model.Lose, model.Duplicate} {
		step.Kind = kind
		m, err := n.find(w, step)
		require.NoError(t, err)
		assert.Same(t, third, m.Event)
		assert.Equal(t, kind, m.Kind)
	}
	step.Op = 1
	_, err = n.find(w, step)
	assert.ErrorContains(t, err, "no deliver of 2 #3 at a is pending")

	flight := flightOf([]runs.Message{{Value: 7, Occurrence: 3}})
	assert.True(t, n.contains(flight, third))
	assert.False(t, n.contains(flight, first))
	assert.False(t, n.contains(flight, second))
}

// A run takes what its system is in before and after each step, for the trace, in time or not; without time a tick is whole.
func TestRunsAreTraced(t *testing.T) {
	for _, timed := range []bool{false, true} {
		s, claims := steps(model.Exactly(1)), about(model.Always, 1)
		run, _, err := take(t, s, claims, timed, candidate(t, s, claims, search.Options{Timed: timed}))
		require.NoError(t, err)
		assert.NotNil(t, run.Records[0].Before)
		assert.EqualValues(t, 1, run.Parts)
	}
}

// What is in flight when the claim is broken is left there; it arrives first where a claim is about runs that stop, or
// about the end.
func TestWhatIsSettled(t *testing.T) {
	s := mailing(mail{"x", model.Anytime(), ""}, mail{"end", model.Anytime(), "n"})
	for _, claim := range []model.Claim{about(model.Always, 1)[0], stops(model.Eventually), stops(model.Always), costs.Messages().Claim()} {
		s.Nodes[0].Script, s.Nodes[0].Role = nil, model.Server
		if claim.Done {
			s.Nodes[0].Script, s.Nodes[0].Role = []model.Op{{Call: "go"}}, model.Client
		}
		claims := []model.Claim{claim}
		var c search.Candidate
		if claim.Cost != nil {
			c = reading(t, s, claims)
		} else {
			c = candidate(t, s, claims, search.Options{Stale: true})
		}
		c.Steps = slices.DeleteFunc(c.Steps, func(step runs.Step) bool { return step.Value == mail{"x", model.Anytime(), ""} })
		c.InFlight = make([][]runs.Message, len(c.Steps)+1)
		c.InFlight[0] = []runs.Message{{To: 1, Value: mail{"end", model.Anytime(), "n"}, Occurrence: 2}}
		run, _, err := take(t, s, claims, false, c)
		require.NoError(t, err, claim.Name)
		want := len(c.Steps)
		if claim.Done && claim.Kind == model.Always || claim.Cost != nil {
			want++
		}
		assert.Len(t, run.Records, want, "%s, %v", claim.Name, claim.Kind)
		if want > len(c.Steps) {
			s.Nodes[1].New = func() model.Node {
				return &actor{receive: func(a *actor, _ model.Env, _ any) { a.S++ }}
			}
			c.Nodes = nil
			_, _, err := take(t, s, claims, false, c)
			assert.ErrorContains(t, err, "the search absorbed ", claim.Name)
			s = mailing(mail{"x", model.Anytime(), ""}, mail{"end", model.Anytime(), "n"})
		}
	}
}

// A tick has parts for alarms that have to ring only where something is left to arrive.
func TestRoomToSettle(t *testing.T) {
	for _, left := range []bool{false, true} {
		s := waits(model.Exactly(1), actor{start: func(_ *actor, env model.Env) {
			if left {
				env.Send(1, 7)
			}
		}}, actor{})
		for _, claim := range []model.Claim{stops(model.Always), costs.Messages().Claim()} {
			claims := []model.Claim{claim}
			c := search.Candidate{Steps: []runs.Step{{Kind: model.Invoke, Value: "go", Occurrence: 1}}, InFlight: make([][]runs.Message, 2)}
			if s.Nodes[0].Script = []model.Op{{Call: "go"}}; claim.Cost != nil {
				s.Nodes[0].Script, c = nil, search.Candidate{InFlight: c.InFlight[:1], Number: b2i(left)}
			}
			run, is, err := take(t, s, claims, true, c)
			require.NoError(t, err, claim.Name)
			assert.Equal(t, search.Real, is)
			assert.EqualValues(t, 1+roomToSettle*b2i(left), run.Parts, claim.Name)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A run confirms a violation of its own claim; one that is to stop stops, and one that goes round, from its start or later, need not.
func TestVerify(t *testing.T) {
	s, claims := dice(), append(about(model.Always, 6), about(model.Always, 5)...)
	claims[1].Name = "other"
	c := candidate(t, s, claims, search.Options{})
	_, _, err := take(t, s, claims, false, c)
	require.NoError(t, err)
	c.Claim = 1
	_, _, err = take(t, s, claims, false, c)
	assert.EqualError(t, err, "claim other is not violated after 2 steps")

	surely := about(model.AlmostSurely, 1)
	w, err := world.New(mailing(mail{"x", model.By(1), ""}, mail{"y", model.By(1), ""}), surely, world.Options{})
	require.NoError(t, err)
	run := &Run{World: w}
	for loop, stops := range map[int]bool{-1: true, 0: false, 1: false} {
		err := verify(run, surely, search.Candidate{Loop: loop})
		assert.Equal(t, stops, err != nil, "%v", err)
	}
	w.Pending()[0].Optional = true
	assert.Error(t, verify(run, surely, search.Candidate{Loop: -1}), "the second has to arrive")
	w.Pending()[1].Optional = true
	assert.NoError(t, verify(run, surely, search.Candidate{Loop: -1}))
}

// A run without times is traced, too.
func TestDrive(t *testing.T) {
	s, claims := dice(), about(model.Always, 6)
	codec, err := value.For(s, claims)
	require.NoError(t, err)
	run, err := Drive(s, codec, claims, candidate(t, s, claims, search.Options{}))
	require.NoError(t, err)
	assert.NotNil(t, run.Records[0].Before)
}
