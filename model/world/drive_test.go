package world_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/model"
	"contend/model/world"
)

// A puppet executes its configured handlers and has a log as its state.
type puppet struct {
	acts acts
	Log  []string
}

// An acts has the handlers of a puppet; nil does nothing.
type acts struct {
	start   func(p *puppet, env model.Env)
	invoke  func(p *puppet, env model.Env, op any)
	receive func(p *puppet, env model.Env, from model.NodeID, m any)
	timeout func(p *puppet, env model.Env, key any)
}

func (p *puppet) say(format string, args ...any) { p.Log = append(p.Log, fmt.Sprintf(format, args...)) }

func (p *puppet) Start(env model.Env) {
	if p.acts.start != nil {
		p.acts.start(p, env)
	}
}

func (p *puppet) Invoke(env model.Env, op any) {
	p.say("invoke %v", op)
	if p.acts.invoke != nil {
		p.acts.invoke(p, env, op)
	}
}

func (p *puppet) Receive(env model.Env, from model.NodeID, m any) {
	p.say("receive %v from %d", m, from)
	if p.acts.receive != nil {
		p.acts.receive(p, env, from, m)
	}
}

func (p *puppet) Timeout(env model.Env, key any) {
	p.say("timeout %v", key)
	if p.acts.timeout != nil {
		p.acts.timeout(p, env, key)
	}
}

// client and server return nodes with the given handlers.
func client(name string, a acts, script ...model.Op) model.NodeSpec {
	return model.NodeSpec{Name: name, New: func() model.Node { return &puppet{acts: a} }, Script: script}
}

func server(name string, a acts) model.NodeSpec {
	return model.NodeSpec{Name: name, Role: model.Server, New: func() model.Node { return &puppet{acts: a} }}
}

// system has windows that are instants, unless the test sets them.
func system(nodes ...model.NodeSpec) *model.System { return &model.System{Nodes: nodes} }

// A run executes the steps of a world.
type run struct {
	testing.TB
	*world.World
	answers []int // to Choose, Draw and Held; 0 once they are used up
}

func start(t testing.TB, s *model.System, opt world.Options, claims ...model.Claim) *run {
	t.Helper()
	require.NoError(t, s.Validate())
	w, err := world.New(s, claims, opt)
	require.NoError(t, err)
	return &run{TB: t, World: w}
}

var (
	untimed = world.Options{}
	timed   = world.Options{Timed: true}
	halves  = world.Options{Timed: true, Parts: 2}
)

func (r *run) choose(int, string) int {
	if len(r.answers) == 0 {
		return 0
	}
	is := r.answers[0]
	r.answers = r.answers[1:]
	return is
}

// pending returns the events of a kind at a node, oldest first.
func (r *run) pending(kind model.EventKind, node model.NodeID) []*world.Event {
	return slices.DeleteFunc(r.Pending(), func(e *world.Event) bool { return e.Kind != kind || e.Node != node })
}

// event returns the oldest of these events.
func (r *run) event(kind model.EventKind, node model.NodeID) *world.Event {
	r.Helper()
	events := r.pending(kind, node)
	require.NotEmpty(r, events, "no %v is pending at %d", kind, node)
	return events[0]
}

// do fires the oldest pending event of a kind at a node.
func (r *run) do(at world.Time, kind model.EventKind, node model.NodeID, answers ...int) world.Record {
	r.Helper()
	return r.fire(at, r.event(kind, node), answers...)
}

func (r *run) fire(at world.Time, e *world.Event, answers ...int) world.Record {
	r.Helper()
	return r.move(at, world.Move{Kind: e.Kind, Event: e}, answers...)
}

func (r *run) move(at world.Time, m world.Move, answers ...int) world.Record {
	r.Helper()
	r.answers = answers
	rec, err := r.Step(m, at, r.choose)
	require.NoError(r, err)
	return rec
}

// refused executes a move that is not possible, and checks that nothing changed.
func (r *run) refused(at world.Time, m world.Move) error {
	r.Helper()
	state, now, steps := r.State(), r.Now, r.Steps
	_, err := r.Step(m, at, r.choose)
	require.Error(r, err)
	require.Equal(r, state, r.State())
	require.Equal(r, now, r.Now)
	require.Equal(r, steps, r.Steps)
	return err
}

// of returns the move of a pending event.
func (r *run) of(kind model.EventKind, node model.NodeID) world.Move {
	r.Helper()
	e := r.event(kind, node)
	return world.Move{Kind: kind, Event: e}
}

// log returns the log of a node.
func (r *run) log(node model.NodeID) []string { return r.Live(node).(*puppet).Log }

// offers reports whether a move of a kind at a node is possible.
func (r *run) offers(kind model.EventKind, node model.NodeID) bool {
	return slices.ContainsFunc(r.Moves(), func(m world.Move) bool {
		return m.Kind == kind && (m.Event == nil && m.Node == node || m.Event != nil && m.Event.Node == node)
	})
}

// tell returns a handler that sends each message to the node.
func tell(to model.NodeID, messages ...any) func(*puppet, model.Env, any) {
	return func(_ *puppet, env model.Env, _ any) {
		for _, m := range messages {
			env.Send(to, m)
		}
	}
}
