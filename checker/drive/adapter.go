package drive

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"contend/checker/conform"
	"contend/model"
	"contend/model/world"
)

// An Adapter gives steps of a run to the nodes of an implementation. Each run has a new adapter. Messages, calls,
// keys and results are values of the protocol. Its methods are called one at a time. What the node sends, notes and
// returns in the step, the method tells the [Step].
type Adapter interface {
	// Deliver gives a node a message.
	Deliver(s *Step, from model.NodeID, m any)
	// Call calls an operation of a node, or ends its stay in a critical section.
	Call(s *Step, call any)
	// Fire fires an alarm of a node.
	Fire(s *Step, key any)
	// State returns fields of the node's state after a step, by their names in the protocol. Fields that it leaves out
	// are not compared.
	State(node model.NodeID) map[string]any
}

// A Starter is an adapter whose nodes do something when they start. Start is called for each node when a run begins,
// and again when a node restarts after a crash.
type Starter interface{ Start(s *Step) }

// A Crasher is an adapter whose nodes can crash. What they keep is what survives a crash of the implementation.
type Crasher interface{ Crash(s *Step) }

// A Detector is an adapter whose nodes have a failure detector. Suspect reports a node as down, and Trust as up.
type Detector interface {
	Suspect(s *Step, node model.NodeID)
	Trust(s *Step, node model.NodeID)
}

// A Partial is an adapter that has some of the nodes. The protocol plays the others.
type Partial interface{ Nodes() []model.NodeID }

// A Closer is an adapter with processes or files. Close is called when its run has ended, also if a method has panicked or
// has not returned.
type Closer interface{ Close() }

// A Step is a step of a node.
type Step struct {
	// Node is the node.
	Node model.NodeID
	// Choices has the choices of the page in this step, in the run that is replayed. An implementation that can be
	// steered may follow them.
	Choices []world.Choice
	// ID is the identity that the implementation gave a received message with [Step.SendAs], or nil.
	ID any

	shown  conform.Shown
	refuse string
}

// Send tells that the node sends a message.
func (s *Step) Send(to model.NodeID, m any) { s.SendAs(to, m, nil) }

// SendAs is [Step.Send] for a message with an identity in the implementation. The step in which the message arrives
// has it as its ID.
func (s *Step) SendAs(to model.NodeID, m, id any) {
	s.shown.Sends = append(s.shown.Sends, conform.Sent{To: to, Value: m, ID: id})
}

// Note tells that the node makes a note of the page. A step without notes is not compared by its notes, unless
// [Step.ShowNotes] is called.
func (s *Step) Note(label any) { s.shown.Notes = append(s.shown.Notes, label) }

// ShowNotes tells that all notes of the step are told.
func (s *Step) ShowNotes() {
	if s.shown.Notes == nil {
		s.shown.Notes = []any{}
	}
}

// ShowAlarms tells which alarms of the node are set after the step: all of them. A step that does not tell is not
// compared by its alarms.
func (s *Step) ShowAlarms(keys ...any) { s.shown.Alarms = append([]any{}, keys...) }

// Return tells that the operation of the node returns.
func (s *Step) Return(result any) { s.shown.Returned, s.shown.Result = true, result }

// Refuse tells that the node cannot take the step, as when an alarm is not set. The reason is a sentence.
func (s *Step) Refuse(reason string) { s.refuse = reason }

// Go returns the implementation of adapters in Go. The function make returns a new one for each run.
func Go(make func() Adapter) Target { return goTarget{make} }

type goTarget struct{ make func() Adapter }

func (t goTarget) open(d *driver) implementation {
	return &inGo{make: t.make, vocabulary: d.vocabulary, timeout: d.opt.StepTimeout}
}

// An inGo is an implementation in Go. A call that does not return is left behind with its adapter.
type inGo struct {
	make       func() Adapter
	vocabulary *conform.Vocabulary
	timeout    time.Duration
	adapter    Adapter
}

func (g *inGo) close() { _ = g.guarded(g.end) } // the run has its result

// end closes the adapter of the last run.
func (g *inGo) end() {
	c, is := g.adapter.(Closer)
	g.adapter = nil
	if is {
		c.Close()
	}
}

func (g *inGo) begin(int) (nodes []model.NodeID, err error) {
	err = g.guarded(func() {
		g.end()
		g.adapter = g.make()
		if p, is := g.adapter.(Partial); is {
			nodes = p.Nodes()
		}
	})
	return nodes, err
}

func (g *inGo) step(in input) (*conform.Answer, error) {
	s := &Step{Node: in.node, Choices: in.choices, ID: in.id}
	adapter := g.adapter
	var state map[string]any
	err := g.guarded(func() {
		dispatch(adapter, s, in)
		if s.refuse == "" && in.kind != crash {
			state = adapter.State(in.node)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case s.refuse != "":
		return nil, &failure{text: s.refuse, impossible: true}
	}
	s.shown.State = state
	return g.vocabulary.Exactly(in.node, s.shown)
}

// dispatch calls the method of a step.
func dispatch(a Adapter, s *Step, in input) {
	switch in.kind {
	case deliver:
		a.Deliver(s, in.from, in.value)
	case call:
		a.Call(s, in.value)
	case fire:
		a.Fire(s, in.value)
	case crash:
		if c, is := a.(Crasher); is {
			c.Crash(s)
		} else {
			s.Refuse(fmt.Sprintf("%v has no method Crash", reflect.TypeOf(a)))
		}
	case suspect, trust:
		d, is := a.(Detector)
		switch {
		case !is:
			s.Refuse(fmt.Sprintf("%v has no methods Suspect and Trust", reflect.TypeOf(a)))
		case in.kind == suspect:
			d.Suspect(s, in.value.(model.NodeID))
		default:
			d.Trust(s, in.value.(model.NodeID))
		}
	case start:
		if c, is := a.(Starter); is {
			c.Start(s)
		}
	}
}

// guarded calls a function of an adapter. A panic and a call that does not return are failures.
func (g *inGo) guarded(f func()) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer func() {
			if r := recover(); r != nil {
				err = &failure{text: fmt.Sprintf("the implementation panics: %v%s", r, placeOf(debug.Stack()))}
			}
		}()
		f()
	}()
	timer := time.NewTimer(g.timeout)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return &failure{text: fmt.Sprintf("the implementation does not answer within %v", g.timeout)}
	}
}

// placeOf returns the place of a panic in a stack, as text behind a message; "" if it is not known.
func placeOf(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+3 < len(lines) {
			place, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " +0x")
			return " at " + place[strings.LastIndex(place, "/")+1:]
		}
	}
	return ""
}
