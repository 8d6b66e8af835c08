// Package honest compares what a Byzantine node says in a run with what an honest node would have said in
// its place.
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

// Said says of each step in which a liar's message arrives what an honest node in the liar's
// place would have said to the receiver by then.
//
// The honest node is made as the protocol makes that node, and is given, in a world of its own,
// exactly what was sent to the liar, each message at the instant at which it was sent; its alarms
// ring when they must, untimed never. In that world all others are liars, so that it answers to
// nobody and nothing comes of what it says. Where it asks for an answer that the run does not give,
// a choice, or untimed whether a hold lasts, every answer is followed: each is a twin, and twins
// that come to one state are one again. Of a node with more than a few nothing is said, nor of a
// liar for which the protocol has no honest node.
//
// It costs as much as the run does of the liar, for each twin, and once more from the beginning for
// each answer.
func Said(r *replay.Run) map[int]string {
	said := map[int]string{}
	mirrored(r, func(m *mirror, step int, lie world.Move) { said[step] = m.instead(lie) })
	return said
}

// Answers are what [Said] puts into sentences: of each step in which a liar's message arrives the messages, as [describe.Value]
// writes them, of which an honest node would have said one to the receiver. A step has none if the node was not asked, or if that is not known.
func Answers(r *replay.Run) map[int][]string {
	all := map[int][]string{}
	mirrored(r, func(m *mirror, step int, lie world.Move) { all[step] = lastSaid(lie.Node, m.twins...) })
	return all
}

// mirrored follows an honest node in each liar's place, and tells of each step in which the liar's message arrives.
func mirrored(r *replay.Run, tell func(m *mirror, step int, lie world.Move)) {
	for id, spec := range r.World.System.Nodes {
		if !spec.Byzantine {
			continue
		}
		m := mirror{run: r, id: model.NodeID(id)}
		m.begin()
		m.follow(func(step int, lie world.Move) { tell(&m, step, lie) })
	}
}

// mostTwins is how many ways an honest node may have gone before nothing is said of it.
const mostTwins = 8

// mostSteps is how many steps of their own twins take from one message to the next before nothing is said of the node.
const mostSteps = 300

// mirror follows the honest node in one liar's place.
type mirror struct {
	run    *replay.Run
	id     model.NodeID
	system *model.System
	codec  *value.Codec
	twins  []*twin
}

// A twin is the honest node as one way of answering it has led it, in its world.
type twin struct {
	w    *world.World
	took []taken
	// said is what it said to each node when it last said something to it, or was last asked by it: more than
	// one if more than one way led here. A node that never asked has none.
	said map[model.NodeID][]string
}

// taken is a step of a twin, so that it can be taken again: a message that comes, or else something
// of the node's own that is pending, by its place.
type taken struct {
	from    model.NodeID
	message any
	own     bool
	place   int
	at      world.Time
	answers []int
}

// begin makes the node, if it can be made and begins in one way.
func (m *mirror) begin() {
	m.system = m.run.World.System.Alone(m.id)
	var err error
	if m.codec, err = value.For(m.system, nil); err != nil {
		return
	}
	if first, ok := m.again(nil); ok && len(first.w.Boot) == 0 {
		m.twins = []*twin{first}
	}
}

// follow goes through the run: what was sent to the liar in a step has come to the twins before
// the next one.
func (m *mirror) follow(tell func(step int, lie world.Move)) {
	sent := m.run.World.ToLiars
	for i, r := range m.run.Records {
		for ; len(sent) > 0 && sent[0].BornStep <= i; sent = sent[1:] {
			if sent[0].Node == m.id {
				m.hears(sent[0])
			}
		}
		if r.Move.Kind != model.Forge || r.Move.From != m.id {
			continue
		}
		if m.settle(r.At); len(m.twins) > 0 {
			tell(i+1, r.Move)
		}
	}
}

// instead says what would have been said to the receiver of a lie.
func (m *mirror) instead(lie world.Move) string {
	name := m.run.World.System.Name
	all := lastSaid(lie.Node, m.twins...)
	switch {
	case len(all) == 0:
		return fmt.Sprintf("an honest %s would have said nothing: %s has not asked it", name(m.id), name(lie.Node))
	case len(all) == 1 && all[0] == describe.Value(lie.Value, name):
		return fmt.Sprintf("an honest %s would have said the same", name(m.id))
	}
	return fmt.Sprintf("an honest %s would have said %s", name(m.id), strings.Join(all, " or "))
}

// hears gives the twins a message.
func (m *mirror) hears(e *world.Event) {
	m.settle(e.Born)
	m.step(taken{from: e.From, message: e.Value, at: e.Born}, nil)
}

// settle lets happen what must happen before an instant, untimed the messages that twins sent to themselves. Of a
// node that has something to do without end nothing is said.
func (m *mirror) settle(at world.Time) {
	next := m.ownMessage
	if m.run.Trace.Timed() {
		next = func() bool { return m.due(at) }
	}
	for steps := 0; next(); steps++ {
		if steps == mostSteps {
			m.twins = nil
		}
	}
}

// due lets what a twin must do before an instant happen, at the latest; false when it is nothing.
func (m *mirror) due(at world.Time) bool {
	for _, t := range m.twins {
		latest, open := t.w.Deadline()
		if latest > at || latest == at && !open {
			continue
		}
		place := slices.IndexFunc(t.w.Pending(), func(e *world.Event) bool {
			d := replay.DueOf(e, m.run.Parts)
			return !d.Endless && d.Hi == latest && d.HiOpen == open
		})
		_, when, _ := t.w.Fires(t.w.Pending()[place])
		m.step(taken{own: true, place: place, at: when}, t)
		return true
	}
	return false
}

// ownMessage delivers, untimed, a message that a twin sent to itself; false when there is none.
func (m *mirror) ownMessage() bool {
	for _, t := range m.twins {
		place := slices.IndexFunc(t.w.Pending(), func(e *world.Event) bool { return e.Kind == model.Deliver })
		if place >= 0 {
			m.step(taken{own: true, place: place}, t)
			return true
		}
	}
	return false
}

// step takes a step of all twins, or of only one, with every answer to what it asks, and notes what they say.
func (m *mirror) step(s taken, only *twin) {
	var next []*twin
	known := map[string]*twin{}
	for _, t := range m.twins {
		grown := []*twin{t}
		if only == nil || only == t {
			grown = m.grown(t, s)
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

// note takes in what a twin said in a step to each node; to the one that asked, nothing counts too.
func (m *mirror) note(t *twin, s taken) {
	to := map[model.NodeID][]string{}
	for _, e := range t.w.ToLiars {
		if e.BornStep == t.w.Steps {
			to[e.Node] = append(to[e.Node], describe.Value(e.Value, m.run.World.System.Name))
		}
	}
	t.said = maps.Clone(t.said)
	if !s.own {
		t.said[s.from] = nothing
	}
	for id, all := range to {
		t.said[id] = []string{strings.Join(all, " and ")}
	}
}

// join takes in what a twin said that came to the same state.
func (t *twin) join(o *twin) {
	for id := range t.w.System.Nodes {
		if all := lastSaid(model.NodeID(id), t, o); len(all) > 0 {
			t.said[model.NodeID(id)] = all
		}
	}
}

// lastSaid is what twins said last to a node, in order; nothing counts where another said something, or where it asked.
func lastSaid(to model.NodeID, twins ...*twin) (all []string) {
	asked := false
	for _, t := range twins {
		is, any := t.said[to]
		if !any {
			is = nothing
		}
		asked = asked || any
		all = append(all, is...)
	}
	if !asked {
		return nil
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// nothing is what a twin says to a node that it does not answer.
var nothing = []string{"nothing"}

// grown are what becomes of a twin that takes a step, one for each way to answer it; none where a
// handler fails, or too much is asked.
func (m *mirror) grown(t *twin, s taken) (all []*twin) {
	before := t.took
	more, ok := t.take(s)
	if ok {
		return []*twin{t}
	}
	for is := range more {
		s := s
		s.answers = append(slices.Clone(s.answers), is)
		again, ok := m.again(before)
		if !ok || len(s.answers) > mostTwins || more > mostTwins {
			return nil
		}
		again.said = t.said
		branches := m.grown(again, s)
		if len(branches) == 0 {
			return nil
		}
		all = append(all, branches...)
	}
	return all
}

// again makes the twin that takes such steps from the beginning.
func (m *mirror) again(steps []taken) (*twin, bool) {
	w, err := world.Start(m.system, m.codec, nil, world.Options{Timed: m.run.Trace.Timed(), Parts: m.run.Parts, Trace: true})
	if err != nil || w.Failed() {
		return nil, false
	}
	t := &twin{w: w, said: map[model.NodeID][]string{}}
	m.note(t, taken{own: true})
	for _, s := range steps {
		t.take(s)
	}
	return t, true
}

// take takes a step. Where it asks for an answer more than there are, more says how many there are
// to choose from, and the twin is of no more use.
func (t *twin) take(s taken) (more int, ok bool) {
	move := world.Move{Kind: model.Forge, From: s.from, Value: s.message}
	move.Node = t.w.System.IDs(func(n model.NodeSpec) bool { return !n.Byzantine })[0]
	if s.own {
		e := t.w.Pending()[s.place]
		move = world.Move{Kind: e.Kind, Event: e}
	}
	used := 0
	_, err := t.w.Step(move, s.at, func(n int, _ string) int {
		if used < len(s.answers) {
			used++
			return s.answers[used-1]
		}
		more = n
		return -1
	})
	t.took = append(slices.Clip(t.took), s)
	return more, err == nil && !t.w.Failed()
}
