// Package honest compares the forged messages of a run with the messages that an honest node would have sent.
package honest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
	"contend/model/world"
	"contend/traces/replay"
)

// Sentences returns a sentence for each step in which a forged message arrives. It names the messages that an
// honest node instead of the sender would have sent to the receiver by then.
//
// The honest node runs in a separate world. It receives exactly the messages that were sent to the Byzantine
// node, each at the instant of its sending. Its alarms fire when they must, and never in an untimed run. All
// other nodes of this world are Byzantine, so its messages have no effect. If it makes a choice, every result
// is followed. Each result has a twin of the node, and twins in equal states are merged. There is no sentence
// for a node with more than 8 twins, with a handler that fails, or without an honest node in the protocol.
//
// Each twin costs as much as the node's part of the run, and each choice starts again from the initial state.
func Sentences(r *replay.Run) map[int]string {
	sentences := map[int]string{}
	mirrorAll(r, func(m *mirror, step int, lie world.Move) { sentences[step] = m.sentence(lie) })
	return sentences
}

// Answers returns the messages that [Sentences] names, formatted by [describe.Value]. An honest node would
// have sent one of them. A step has none if the node was not asked, or if the messages are not known.
func Answers(r *replay.Run) map[int][]string {
	all := map[int][]string{}
	mirrorAll(r, func(m *mirror, step int, lie world.Move) { all[step] = lastMessages(lie.Node, m.twins...) })
	return all
}

// mirrorAll calls visit for each step in which a forged message arrives, with the mirror of its sender.
func mirrorAll(r *replay.Run, visit func(m *mirror, step int, lie world.Move)) {
	for id, spec := range r.World.System.Nodes {
		if !spec.Byzantine {
			continue
		}
		m := mirror{run: r, id: model.NodeID(id)}
		m.begin()
		m.follow(func(step int, lie world.Move) { visit(&m, step, lie) })
	}
}

// mostTwins is the largest number of twins of a node.
const mostTwins = 8

// mostSteps is the largest number of a twin's own steps between two messages.
const mostSteps = 300

// A mirror follows the honest node that replaces one Byzantine node. It has no twins if it has given up.
type mirror struct {
	run    *replay.Run
	id     model.NodeID
	system *model.System
	codec  *value.Codec
	twins  []*twin
}

// A twin is the honest node in its world, after certain choices.
type twin struct {
	w     *world.World
	steps []twinStep
	// sent has, by receiver, the last messages that this node sent to the receiver, or "nothing" if the
	// receiver asked later. Merged twins may have sent different messages. A node that never asked has no
	// entry.
	sent map[model.NodeID][]string
}

// A twinStep is a step of a twin, stored so that it can be repeated: a message that arrives, or an own pending
// event, by its index.
type twinStep struct {
	from    model.NodeID
	message any
	own     bool
	index   int
	instant world.Time
	answers []int
}

// begin makes the first twin, unless there is no honest node or its Start makes choices.
func (m *mirror) begin() {
	m.system = m.run.World.System.Alone(m.id)
	var err error
	if m.codec, err = value.For(m.system, nil); err != nil {
		return
	}
	if first, ok := m.rerun(nil); ok && len(first.w.Boot) == 0 {
		m.twins = []*twin{first}
	}
}

// follow passes through the run. Messages sent to the Byzantine node in a step reach the twins before the
// next step. It calls visit in each step in which a message of the Byzantine node arrives.
func (m *mirror) follow(visit func(step int, lie world.Move)) {
	sent := m.run.World.ToByzantine
	for i, r := range m.run.Records {
		for ; len(sent) > 0 && sent[0].BornStep <= i; sent = sent[1:] {
			if sent[0].Node == m.id {
				m.deliver(sent[0])
			}
		}
		if r.Move.Kind != model.Forge || r.Move.From != m.id {
			continue
		}
		if m.settle(r.At); len(m.twins) > 0 {
			visit(i+1, r.Move)
		}
	}
}

// sentence returns the sentence for a forged message.
func (m *mirror) sentence(lie world.Move) string {
	name := m.run.World.System.Name
	all := lastMessages(lie.Node, m.twins...)
	switch {
	case len(all) == 0:
		return fmt.Sprintf("an honest %s would have said nothing: %s has not asked it", name(m.id), name(lie.Node))
	case len(all) == 1 && all[0] == describe.Value(lie.Value, name):
		return fmt.Sprintf("an honest %s would have said the same", name(m.id))
	}
	return fmt.Sprintf("an honest %s would have said %s", name(m.id), strings.Join(all, " or "))
}

// deliver delivers a message to the twins.
func (m *mirror) deliver(e *world.Event) {
	m.settle(e.Born)
	m.step(twinStep{from: e.From, message: e.Value, instant: e.Born}, nil)
}

// settle executes the events that must happen before an instant. In an untimed run these are messages of the
// twins to themselves. It gives up after mostSteps.
func (m *mirror) settle(instant world.Time) {
	next := m.deliverOwn
	if m.run.Trace.Timed() {
		next = func() bool { return m.executeDue(instant) }
	}
	for steps := 0; next(); steps++ {
		if steps == mostSteps {
			m.twins = nil
		}
	}
}

// executeDue executes the first event that a twin must execute before an instant, at its latest instant. It reports
// false if there is none.
func (m *mirror) executeDue(instant world.Time) bool {
	for _, t := range m.twins {
		latest, open := t.w.Deadline()
		if latest > instant || latest == instant && !open {
			continue
		}
		place := slices.IndexFunc(t.w.Pending(), func(e *world.Event) bool {
			d := replay.DueOf(e, m.run.Parts)
			return !d.Endless && d.Hi == latest && d.HiOpen == open
		})
		_, when, _ := t.w.Fires(t.w.Pending()[place])
		m.step(twinStep{own: true, index: place, instant: when}, t)
		return true
	}
	return false
}

// deliverOwn delivers a message of a twin to itself, in an untimed run. It reports false if there is none.
func (m *mirror) deliverOwn() bool {
	for _, t := range m.twins {
		place := slices.IndexFunc(t.w.Pending(), func(e *world.Event) bool { return e.Kind == model.Deliver })
		if place >= 0 {
			m.step(twinStep{own: true, index: place}, t)
			return true
		}
	}
	return false
}

// step executes a step in all twins, or in one only, with every result of its choices. It merges twins in equal
// states.
func (m *mirror) step(s twinStep, only *twin) {
	var next []*twin
	known := map[string]*twin{}
	for _, t := range m.twins {
		grown := []*twin{t}
		if only == nil || only == t {
			grown = m.branches(t, s)
			for _, g := range grown {
				m.note(g, s)
			}
		}
		for _, g := range grown {
			key := strings.Join(g.w.State(), "\n")
			if same := known[key]; same != nil {
				same.join(g)
				continue
			}
			known[key] = g
			next = append(next, g)
		}
		if len(grown) == 0 || len(next) > mostTwins {
			m.twins = nil
			return
		}
	}
	m.twins = next
}

// note records the messages that a twin sent in a step. The sender of a message that was not answered is
// recorded with "nothing".
func (m *mirror) note(t *twin, s twinStep) {
	to := map[model.NodeID][]string{}
	for _, e := range t.w.ToByzantine {
		if e.BornStep == t.w.Steps {
			to[e.Node] = append(to[e.Node], describe.Value(e.Value, m.run.World.System.Name))
		}
	}
	t.sent = maps.Clone(t.sent)
	if !s.own {
		t.sent[s.from] = nothing
	}
	for id, all := range to {
		t.sent[id] = []string{strings.Join(all, " and ")}
	}
}

// join adds the messages of a twin in the same state.
func (t *twin) join(o *twin) {
	for id := range t.w.System.Nodes {
		if all := lastMessages(model.NodeID(id), t, o); len(all) > 0 {
			t.sent[model.NodeID(id)] = all
		}
	}
}

// lastMessages returns the last messages of twins to a node, sorted. A twin without any counts as "nothing", unless
// no twin was asked.
func lastMessages(to model.NodeID, twins ...*twin) (all []string) {
	asked := false
	for _, t := range twins {
		messages, ok := t.sent[to]
		if !ok {
			messages = nothing
		}
		asked = asked || ok
		all = append(all, messages...)
	}
	if !asked {
		return nil
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// nothing means no answer.
var nothing = []string{"nothing"}

// branches returns the results of a step of a twin, one for each result of its choices. It returns none if a
// handler fails or there are too many.
func (m *mirror) branches(t *twin, s twinStep) (all []*twin) {
	before := t.steps
	more, ok := t.execute(s)
	if ok {
		return []*twin{t}
	}
	for choice := range more {
		s := s
		s.answers = append(slices.Clone(s.answers), choice)
		again, ok := m.rerun(before)
		if !ok || len(s.answers) > mostTwins || more > mostTwins {
			return nil
		}
		again.sent = t.sent
		branches := m.branches(again, s)
		if len(branches) == 0 {
			return nil
		}
		all = append(all, branches...)
	}
	return all
}

// rerun makes a twin that executes the steps from the initial state.
func (m *mirror) rerun(steps []twinStep) (*twin, bool) {
	w, err := world.Start(m.system, m.codec, nil, world.Options{Timed: m.run.Trace.Timed(), Clocks: m.run.Trace.Clocks, Parts: m.run.Parts, Trace: true})
	if err != nil || w.Failed() {
		return nil, false
	}
	t := &twin{w: w, sent: map[model.NodeID][]string{}}
	m.note(t, twinStep{own: true})
	for _, s := range steps {
		t.execute(s)
	}
	return t, true
}

// execute executes a step. If the step needs another choice, more is the number of results of this choice,
// and the twin cannot be used any more.
func (t *twin) execute(s twinStep) (more int, ok bool) {
	move := world.Move{Kind: model.Forge, From: s.from, Value: s.message}
	move.Node = t.w.System.IDs(func(n model.NodeSpec) bool { return !n.Byzantine })[0]
	if s.own {
		e := t.w.Pending()[s.index]
		move = world.Move{Kind: e.Kind, Event: e}
	}
	used := 0
	_, err := t.w.Step(move, s.instant, func(n int, _ string) int {
		if used < len(s.answers) {
			used++
			return s.answers[used-1]
		}
		more = n
		return -1
	})
	t.steps = append(slices.Clip(t.steps), s)
	return more, err == nil && !t.w.Failed()
}
