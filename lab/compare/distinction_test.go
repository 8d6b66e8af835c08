package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/model/costs"
)

// The cases below are small systems for faults of a search that few systems show. In each case a verdict
// depends on one line of the search. A runner executes the functions of its table. All its fields but the
// table are state.
type runner struct {
	does *does

	State int
	Of    model.NodeID `contend:"stable"`
}

type does struct {
	start, invoke           func(r *runner, env model.Env)
	receive                 func(r *runner, env model.Env, from model.NodeID, m any)
	suspect, trust, timeout func(r *runner, env model.Env)
}

func (r *runner) Start(env model.Env)                   { run(r.does.start, r, env) }
func (r *runner) Invoke(env model.Env, _ any)           { run(r.does.invoke, r, env) }
func (r *runner) Timeout(env model.Env, _ any)          { run(r.does.timeout, r, env) }
func (r *runner) Suspect(env model.Env, _ model.NodeID) { run(r.does.suspect, r, env) }
func (r *runner) Trust(env model.Env, _ model.NodeID)   { run(r.does.trust, r, env) }
func (r *runner) Receive(env model.Env, from model.NodeID, m any) {
	if r.does.receive != nil {
		r.does.receive(r, env, from, m)
	}
}

func run(f func(r *runner, env model.Env), r *runner, env model.Env) {
	if f != nil {
		f(r, env)
	}
}

// made returns a system of nodes with the tables. Nodes with an invocation are clients, the others are
// servers.
func made(f model.Faults, tables ...does) *model.System {
	s := &model.System{Faults: f, Types: []any{0, "", model.NodeID(0)}, Network: model.Network{Delay: model.Anytime(), Partition: model.Anytime()}}
	for i, d := range tables {
		n := model.NodeSpec{Name: string(rune('a' + i)), Role: model.Server, New: func() model.Node { return &runner{does: &d} }}
		if d.invoke != nil {
			n.Role, n.Script = model.Client, []model.Op{{Call: 0, AtBoot: true}}
		}
		s.Nodes = append(s.Nodes, n)
	}
	return s
}

// agrees compares a case in the ways that are given, untimed.
func agrees(t *testing.T, it random.Case, sets ...setting) *Comparison {
	t.Helper()
	truth, err := oracle.Judge(it.System, it.Claims, it.Reading, 2000)
	require.NoError(t, err)
	c := &Comparison{About: it.String()}
	for _, set := range sets {
		c.checkWith(it, truth, set)
	}
	for _, p := range c.Problems {
		t.Error(p)
	}
	return c
}

// refutes is agrees without claims that brute force refutes and a search leaves open.
func refutes(t *testing.T, it random.Case, sets ...setting) {
	t.Helper()
	for _, claim := range agrees(t, it, sets...).Claims {
		if claim.Truth == oracle.Violated {
			require.Equal(t, checker.Violated, claim.Verdict)
		}
	}
}

var (
	plainly = setting{name: "no reductions", opt: checker.Options{Workers: 1, Reduce: []string{}}}
	reduced = setting{name: "all reductions", opt: checker.Options{Workers: 1}}
	inParts = setting{name: "no reductions, resumed", opt: checker.Options{Workers: 1, Reduce: []string{}}, resumed: true, few: 2}
)

// saw is broken, or reached, by one observation of a value at a kind after another, at one node.
type saw struct {
	first, then model.ObservationKind
	breaks      bool

	By    model.NodeID
	Knows bool
	Both  bool
}

func (s *saw) Observe(w model.Watch, o model.Observation) {
	switch {
	case !s.Knows && o.Kind == s.first:
		s.By, s.Knows = o.Node, true
	case s.Knows && o.Kind == s.then && o.Node == s.By:
		if s.Both = true; s.breaks {
			w.Violate("first %v, then %v", s.first, s.then)
		}
	}
}

func (s *saw) Reached() bool { return s.Both }

func watched(kind model.Kind, of saw) model.Claim {
	return model.Claim{Name: "watched", Kind: kind, Monitor: func(*model.System) model.Monitor { s := of; return &s }}
}

// picks returns a function that makes a node choose another node, from the last to the first, and send to it.
func picks(of ...model.NodeID) func(r *runner, env model.Env) {
	return func(_ *runner, env model.Env) { env.Send(of[env.Choose(len(of))], 0) }
}

// notes makes a node note a message.
func notes(_ *runner, env model.Env, _ model.NodeID, _ any) { env.Note(0) }

// Two servers differ only in their crash model. The server that notes must be the server that crashes. A
// search that considers the two interchangeable explores only the other server.
func TestAGroupOfTwoCrashModels(t *testing.T) {
	for _, may := range []model.CrashModel{model.CrashStop, model.CrashRecovery} {
		s := made(model.Faults{}, does{invoke: picks(1, 2)}, does{receive: notes}, does{receive: notes})
		s.Nodes[1].Crash, s.Nodes[2].Crash = model.NoCrashes, may
		if s.Faults.Restarts = 1; may == model.CrashStop {
			s.Faults = model.Faults{Crashes: 1}
		}
		agrees(t, random.Case{System: s, Claims: []model.Claim{watched(model.Always, saw{first: model.Noted, then: model.Crashed, breaks: true})}}, plainly, reduced)
	}
}

// A liar is on one side of a cut: its forged messages do not arrive on the other side. Two nodes greet each
// other. They can receive forged messages for a while once they know that the greeting is lost. Only a cut
// that still exists loses it. So one of them is on the liar's side, and not both.
func TestALiarAcrossACut(t *testing.T) {
	greets := func(of model.NodeID) does {
		return does{
			start: func(_ *runner, env model.Env) {
				env.Send(of, 0)
				env.After("lost", model.Exactly(2))
			},
			receive: func(r *runner, env model.Env, from model.NodeID, _ any) {
				if r.State++; from == of {
					r.State = 3
					return
				}
				env.Note(0)
			},
			timeout: func(r *runner, env model.Env) {
				if r.State++; r.State == 1 {
					env.After("lost", model.Exactly(1))
				}
			},
		}
	}
	s := made(model.Faults{Partitions: 1}, greets(1), greets(0))
	s.Network = model.Network{Delay: model.Exactly(1), Partition: model.Exactly(9)}
	s.Nodes = append(s.Nodes, model.NodeSpec{Name: "liar", Role: model.Server, Byzantine: true})
	s.Forge = func(n model.Node, _, _ model.NodeID) []any {
		if n.(*runner).State == 1 {
			return []any{1}
		}
		return nil
	}
	both := func(*model.System) model.Monitor { return &meet{} }
	agrees(t, random.Case{System: s, Reading: model.Grid, Claims: []model.Claim{{Name: "not both", Kind: model.Always, Monitor: both}}}, plainly, reduced)
}

// meet claims that no two nodes note.
type meet struct{ By map[model.NodeID]bool }

func (m *meet) Observe(w model.Watch, o model.Observation) {
	if m.By[o.Node] = true; len(m.By) > 1 {
		w.Violate("two nodes note")
	}
}

// A node that is falsely suspected is not falsely suspected again before it is trusted again.
func TestSuspicionsOfWhatIsNotTrusted(t *testing.T) {
	counts := func(r *runner, env model.Env) {
		if r.State++; r.State == 2 {
			env.Note(2)
		}
	}
	s := made(model.Faults{Suspicions: 2}, does{suspect: counts, trust: func(r *runner, _ model.Env) { r.State = 0 }}, does{})
	s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: model.Anytime(), Mistake: model.Anytime()}
	agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "once", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &never{value: 2} }}}}, plainly)
}

// never claims that a value is not noted.
type never struct{ value int }

func (n *never) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Value == n.value {
		w.Violate("%d is noted", n.value)
	}
}

// A goal that only a false suspicion leads to is not possible from everywhere: the environment owes
// none.
func TestASuspicionIsNoHelp(t *testing.T) {
	twice := does{suspect: func(_ *runner, env model.Env) { env.Note(0); env.Note(0) }}
	s := made(model.Faults{Suspicions: 1}, twice, twice)
	s.Detector = model.Detector{Kind: model.EventuallyPerfect, Report: model.Anytime(), Mistake: model.Anytime()}
	agrees(t, random.Case{System: s, Claims: []model.Claim{watched(model.PossibleFromEverywhere, saw{first: model.Noted, then: model.Noted})}}, plainly, reduced)
}

// A handler fails in the first layer only. A search that is stopped after this layer and resumed knows, like
// an uninterrupted search, that the runs after the failure are unknown.
func TestFailuresLeaveOtherClaimsOpen(t *testing.T) {
	s := made(model.Faults{}, does{invoke: func(_ *runner, env model.Env) {
		model.Assert(env.Choose(2) == 0, "it never chooses this")
		env.Send(1, 3)
	}}, does{receive: func(r *runner, env model.Env, _ model.NodeID, m any) {
		if n := m.(int); n > 0 {
			env.Send(1, n-1)
		}
	}})
	claims := []model.Claim{
		{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }},
		watched(model.Sometimes, saw{first: model.Crashed}),
	}
	agrees(t, random.Case{System: s, Claims: claims, Fails: true}, plainly, reduced, inParts)
}

// In the first layer only, a cut prevents an event, and a claim is violated. A search that is stopped after
// this layer and resumed knows both.
func TestACutAndAViolationBeforeAStop(t *testing.T) {
	s := made(model.Faults{}, does{invoke: func(r *runner, env model.Env) {
		if r.State = env.Choose(3); r.State == 1 {
			env.Note(1)
		}
		env.Send(1, 3)
	}}, does{receive: func(_ *runner, env model.Env, _ model.NodeID, m any) {
		if n := m.(int); n > 0 {
			env.Send(1, n-1)
		}
	}})
	s.Cuts = []model.Cut{{Name: "state", Beyond: func(n model.Node) bool { return n.(*runner).State == 2 }}}
	claims := []model.Claim{
		{Name: "nothing", Kind: model.Always, Invariant: func([]model.Node) error { return nil }},
		{Name: "not 1", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &never{value: 1} }},
		watched(model.Sometimes, saw{first: model.Crashed}),
	}
	agrees(t, random.Case{System: s, Claims: claims}, plainly, reduced, inParts)
}

// A run does not reach its goal because a handler fails. So the run does not end without the goal, and the
// goal is not unreachable.
func TestWhatFailsIsPending(t *testing.T) {
	fails := func(_ *runner, _ model.Env, _ model.NodeID, _ any) { model.Assert(false, "it never arrives") }
	asks := does{invoke: func(_ *runner, env model.Env) { env.Send(1, 0) }}
	goesOn := does{
		start:   func(_ *runner, env model.Env) { env.Send(env.Self(), 0) },
		receive: func(_ *runner, env model.Env, _ model.NodeID, _ any) { env.Send(env.Self(), 0) },
	}
	handler, monitor := made(model.Faults{}, asks, does{receive: fails}), made(model.Faults{}, asks, does{receive: notes})
	endless := made(model.Faults{}, asks, does{receive: fails}, goesOn)
	stumbles := model.Claim{Name: "stumbles", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &stumbler{} }}
	for _, kind := range []model.Kind{model.Always, model.PossibleFromEverywhere, model.Eventually, model.Sometimes} {
		done := model.Claim{Name: "done", Kind: kind, Done: true}
		agrees(t, random.Case{System: handler, Claims: []model.Claim{done}, Fails: true}, plainly)
		agrees(t, random.Case{System: endless, Claims: []model.Claim{done}, Fails: true}, plainly)
		agrees(t, random.Case{System: monitor, Claims: []model.Claim{done, stumbles}, Fails: true}, plainly)
		done.Apart = func(c model.Check) model.Check { return c } // no monitor fails beside it: it is decided
		agrees(t, random.Case{System: monitor, Claims: []model.Claim{done, stumbles}, Fails: true}, plainly)
	}
}

// A stumbler fails on a note.
type stumbler struct{ Seen bool }

func (s *stumbler) Observe(_ model.Watch, o model.Observation) {
	model.Assert(o.Kind != model.Noted, "nobody notes")
}

// Two runs reach the same state when their costs are measured and reset. The second run has the higher cost,
// in the same layer or in a later layer.
func TestACostThatIsForgotten(t *testing.T) {
	spends := func(_ *runner, env model.Env) {
		for range 1 + env.Choose(2) {
			env.Send(1, 0)
		}
		env.Return(0)
	}
	asks := does{
		invoke:  func(_ *runner, env model.Env) { env.Send(1, env.Choose(2)) },
		receive: func(_ *runner, env model.Env, _ model.NodeID, _ any) { env.Return(0) },
	}
	answers := does{receive: func(_ *runner, env model.Env, _ model.NodeID, m any) {
		if n := m.(int); n > 0 {
			env.Send(1, n-1)
			return
		}
		env.Send(0, 0)
	}}
	all := func(model.Observation) (model.NodeID, bool) { return 0, true }
	for _, tables := range [][]does{{{invoke: spends}, {}}, {asks, answers}} {
		s := made(model.Faults{}, tables...)
		s.Network.Channel = model.Set
		c := &Comparison{}
		for seed := range uint64(3) {
			c.measure(random.Case{System: s}, costs.PerOperation(all), 500, costSetting(seed))
		}
		require.Empty(t, c.Problems)
		require.Equal(t, Costs{Compared: 3, Spread: 3}, c.Costs)
	}
}

// Each of two servers may store its own name, or the other's name, through a crash. The two are not equal
// after the recovery. A renaming of the servers has to rename the stable fields.
func TestNamesInStableFieldsAreRenamed(t *testing.T) {
	keeps := func(r *runner, _ model.Env, _ model.NodeID, m any) { r.Of = m.(model.NodeID) }
	tells := func(_ *runner, env model.Env) {
		env.Send([]model.NodeID{1, 2}[env.Choose(2)], []model.NodeID{1, 2}[env.Choose(2)])
	}
	back := func(r *runner, env model.Env) {
		if r.Of == env.Self() {
			env.Note(1)
		} else if r.Of != 0 {
			env.Note(0)
		}
	}
	s := made(model.Faults{Restarts: 1}, does{invoke: tells}, does{start: back, receive: keeps}, does{start: back, receive: keeps})
	for value := range 2 {
		never := func(*model.System) model.Monitor { return &never{value: value} }
		agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "never", Kind: model.Always, Monitor: never}}}, plainly, reduced)
	}
}

// A monitor that distinguishes two servers makes them unequal, even if they behave equally.
func TestAMonitorThatTellsServersApart(t *testing.T) {
	for _, of := range []model.NodeID{1, 2} {
		s := made(model.Faults{}, does{invoke: picks(1, 2)}, does{receive: notes}, does{receive: notes})
		never := func(*model.System) model.Monitor { return &spares{of: of} }
		agrees(t, random.Case{System: s, Claims: []model.Claim{{Name: "spared", Kind: model.Always, Monitor: never}}}, plainly, reduced)
	}
}

// spares claims that one node does not note.
type spares struct{ of model.NodeID }

func (s *spares) Observe(w model.Watch, o model.Observation) {
	if o.Kind == model.Noted && o.Node == s.of {
		w.Violate("%d notes", s.of)
	}
}

// On a set channel a node sends a message again to a node that is down. The message is merged into the first
// message, whose window ends before a note that a search may otherwise place between them. A search that
// deleted the first message, since it has no effect, would use the window of the second. It would report a
// run without possible times.
func TestWhatIsSentAnewToANodeThatIsDown(t *testing.T) {
	again := does{
		start: func(_ *runner, env model.Env) { env.Send(1, 0); env.After("next", model.Exactly(2)) },
		timeout: func(r *runner, env model.Env) {
			r.State++
			env.Note(r.State)
			switch r.State {
			case 1:
				env.Send(1, 0)
				env.After("next", model.Exactly(3))
			case 2:
				env.After("next", model.Exactly(2))
			}
		},
	}
	s := made(model.Faults{Restarts: 1}, again, does{})
	s.Nodes[0].Crash = model.NoCrashes
	s.Network = model.Network{Channel: model.Set, Delay: model.Exactly(4)}
	claims := []model.Claim{{Name: "up", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &downFrom{first: 1, last: 3} }}}
	refutes(t, random.Case{System: s, Reading: model.Grid, Claims: claims}, plainly, reduced)
}

// downFrom claims that no node is down between the notes of two values.
type downFrom struct {
	first, last int
	Down, Since bool
}

func (d *downFrom) Observe(w model.Watch, o model.Observation) {
	switch {
	case o.Kind == model.Crashed:
		d.Down = true
	case o.Kind == model.Recovered:
		d.Down, d.Since = false, false
	case d.Down && o.Value == d.first:
		d.Since = true
	case d.Since && o.Value == d.last:
		w.Violate("a node is down")
	}
}
