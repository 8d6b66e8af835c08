package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A Spec is what the process of a node gets on its standard input: a line of JSON.
type Spec struct {
	Protocol string        `json:"protocol"`
	Variant  string        `json:"variant"`
	Config   traces.Config `json:"config"`
	Node     int           `json:"node"`
	Hub      string        `json:"hub"` // the address
	Token    string        `json:"token"`
	Log      string        `json:"log"`    // the file
	Length   int64         `json:"length"` // of the run, in nanoseconds
	Tick     int64         `json:"tick"`   // in nanoseconds
	Pace     int64         `json:"pace"`   // in ticks: see [Options.Pace]
	Seed     uint64        `json:"seed"`
}

// A node runs the handlers of one node. The interpreter takes its steps, in a world of which the node is the only part:
// so windows, holds and requests have the meaning that they have in a check. The time of that world is the machine's,
// except that an alarm that is late happens at the last instant of its window.
type node struct {
	spec   Spec
	id     model.NodeID
	system *model.System // with all nodes
	codec  *value.Codec
	world  *world.World
	clock  clock
	base   int64 // the time of the run at which the world began
	pace   pace
	log    *journal
	out    net.Conn

	targets map[*world.Event]int64 // the drawn instants of pending events, in the world's time
	sent    []frame                // by the running handler
	sends   []message
	choices []int
	held    []int // indexes of choices that are answers to queries of holds
	ops     int
	err     error
}

// Serve runs a node until the run ends. It reads a [Spec] from in, and ends early when in ends. The protocol is that of
// the name in the spec.
func Serve(find func(name string) (*model.Protocol, error), in io.Reader) error {
	lines := bufio.NewReader(in)
	raw, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("a node's process is started by the verb live: %w", err)
	}
	var spec Spec
	if err := json.Unmarshal(raw, &spec); err != nil {
		return err
	}
	p, err := find(spec.Protocol)
	if err != nil {
		return err
	}
	orphaned, orphan := context.WithCancel(context.Background())
	defer orphan()
	go func() { // the parent holds the other end
		_, _ = io.Copy(io.Discard, lines)
		orphan()
	}()
	n, err := newNode(p, spec)
	if err != nil {
		return err
	}
	return n.run(orphaned)
}

func newNode(p *model.Protocol, spec Spec) (*node, error) {
	p, err := lasting(p, spec.Variant)
	if err != nil {
		return nil, err
	}
	c := spec.Config.Model()
	c.Faults = model.Faults{}
	s, err := system(p, c)
	if err != nil {
		return nil, err
	}
	if spec.Node < 0 || spec.Node >= len(s.Nodes) || s.Nodes[spec.Node].Byzantine {
		return nil, fmt.Errorf("node %d has no code to run", spec.Node)
	}
	n := &node{spec: spec, id: model.NodeID(spec.Node), system: s, targets: map[*world.Event]int64{},
		pace: pace{spec.Tick, spec.Pace, rand.New(rand.NewPCG(spec.Seed, uint64(spec.Node)+1))}}
	n.codec, err = value.For(s, nil)
	return n, err
}

// run connects to the hub, starts the node or restarts it, and takes steps until the end.
func (n *node) run(orphaned context.Context) error {
	log, stable, ops, err := openJournal(n.spec.Log)
	if err != nil {
		return err
	}
	n.log, n.ops = log, ops
	if n.out, err = net.Dial("tcp", n.spec.Hub); err != nil {
		return err
	}
	defer n.out.Close()
	if err := n.tell(frame{Token: n.spec.Token, Node: n.spec.Node}); err != nil {
		return err
	}
	frames := make(chan frame)
	lost := make(chan error, 1)
	go n.listen(orphaned, frames, lost)
	select {
	case f := <-frames:
		n.clock = newClock(f.Begin)
	case err := <-lost:
		return err
	case <-orphaned.Done():
		return errors.New("the run ended before it began")
	}
	if n.base = n.clock.now(); ops == 0 && stable == nil && n.base < int64(time.Second) {
		n.base = 0
	}
	if err := n.start(stable); err != nil {
		return err
	}
	return n.loop(orphaned, frames, lost)
}

// listen passes on the frames of the hub.
func (n *node) listen(orphaned context.Context, frames chan<- frame, lost chan<- error) {
	lines := bufio.NewScanner(n.out)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		f, err := readFrame(lines.Bytes(), len(n.system.Nodes))
		if err != nil {
			lost <- err
			return
		}
		select {
		case frames <- f:
		case <-orphaned.Done():
			return
		}
	}
	lost <- errors.Join(lines.Err(), errors.New("the hub has closed the connection"))
}

// tell sends a frame to the hub.
func (n *node) tell(f frame) error {
	line, err := f.line()
	if err == nil {
		_, err = n.out.Write(line)
	}
	return err
}

// start makes the world of the node, and writes the first entry.
func (n *node) start(stable map[string]json.RawMessage) error {
	own := alone(n.system, n.id)
	spec := &own.Nodes[n.id]
	if stable != nil {
		back, err := n.codec.Restored(n.codec.Fresh(spec.New()), stable)
		if err != nil {
			return err
		}
		spec.New = func() model.Node { return n.codec.Fresh(back) }
	}
	spec.Script = spec.Script[min(n.ops, len(spec.Script)):]
	var first []*world.Event // created before the world is there
	draw := func(e *world.Event) { n.targets[e] = int64(n.world.Now) + n.pace.within(e.Window, 1) }
	opt := world.Options{Timed: true, Parts: n.spec.Tick, InPlace: true, Sending: n.sending, HoldQueried: n.queried, Boot: n.choose,
		Created: func(e *world.Event) {
			if n.world == nil {
				first = append(first, e)
				return
			}
			draw(e)
		},
		Disarmed: func(e *world.Event) { delete(n.targets, e) },
	}
	var err error
	if n.world, err = world.Start(own, n.codec, nil, opt); err != nil {
		return err
	}
	for _, e := range first {
		draw(e)
	}
	boot := n.choices
	n.choices, n.held = nil, nil
	return n.show(entry{Start: true, Boot: boot}, n.world.Began)
}

func (n *node) choose(of int, _ string) int {
	is := n.pace.rng.IntN(of)
	n.choices = append(n.choices, is)
	return is
}

// queried keeps the place of a hold's answer among the choices.
func (n *node) queried(set bool) {
	if set {
		n.held = append(n.held, len(n.choices))
		n.choices = append(n.choices, 0)
	}
}

// sending keeps a sent message for the entry and the hub.
func (n *node) sending(_, to model.NodeID, m any) {
	shown, err := shown(n.codec, m)
	if err == nil && m == nil {
		err = errors.New("it sends nil, and a log has no such message")
	}
	if err != nil {
		n.err = err
		return
	}
	shown.To = n.system.Nodes[to].Name
	n.sends = append(n.sends, shown)
	if to == n.id {
		return // it is in flight within the world
	}
	raw, err := n.codec.JSON(m)
	if err != nil {
		n.err = err
		return
	}
	n.sent = append(n.sent, frame{To: int(to), Message: raw})
}

// show writes the entry of a step, and then sends what the step sends.
func (n *node) show(e entry, all []model.Observation) error {
	e.Node, e.At, e.Send, e.Choices, e.Held = n.system.Nodes[n.id].Name, n.base+int64(n.world.Now), n.sends, n.choices, n.held
	for _, o := range all {
		if o.Kind == model.Noted || o.Kind == model.Delivered {
			note, err := n.codec.JSON(o.Value)
			if err != nil {
				return err
			}
			e.Note = append(e.Note, note)
		}
	}
	var err error
	if live := n.world.Live(n.id); live != nil {
		e.After, err = n.codec.StableJSON(live)
	}
	if err = errors.Join(n.err, err); err != nil {
		return err
	}
	if err := n.log.append(e); err != nil {
		return err
	}
	for _, f := range n.sent {
		f.Sent = e.At
		if err := n.tell(f); err != nil {
			return err
		}
	}
	n.sent, n.sends, n.choices, n.held = nil, nil, nil, nil
	return nil
}

// loop takes steps until the end of the run. A late event comes before whatever is not late, so that the world's time is
// never ahead of an event that has to happen.
func (n *node) loop(orphaned context.Context, frames <-chan frame, lost <-chan error) error {
	length := n.spec.Length - n.base
	wake := time.NewTimer(0)
	defer wake.Stop()
	for {
		now := n.clock.now() - n.base
		next, target := n.next(now)
		switch {
		case next != nil && target <= min(now, length):
			if err := n.fire(next, min(now, length)); err != nil { // a run ends for all at the same instant
				return err
			}
			continue
		case now > length || n.world.Failed():
			return nil
		}
		until := length + 1
		if next != nil {
			until = min(until, target)
		}
		wake.Reset(time.Duration(until - now))
		select {
		case <-wake.C:
		case f := <-frames:
			if err := n.receive(f); err != nil {
				return err
			}
		case err := <-lost:
			return err
		case <-orphaned.Done():
			return errors.New("the process of the run has ended")
		}
	}
}

// next returns the pending event that is to happen first, with its instant: the late one whose window ends first, or
// else the one with the first instant. It returns nil if nothing is pending.
func (n *node) next(now int64) (first *world.Event, target int64) {
	late, end := false, int64(0)
	n.world.EachPending(func(e *world.Event) {
		if _, _, ok := n.world.Fires(e); !ok && n.world.Booting() {
			return
		}
		t, ends := n.targets[e], int64(1)<<62
		if e.Window.Hi.At != model.Forever {
			ends = int64(e.Born) + int64(e.Window.Hi.At)*n.spec.Tick
		}
		if first == nil || t <= now && (!late || ends < end) || !late && t < target {
			first, target, late, end = e, t, t <= now, ends
		}
	})
	return first, target
}

// fire lets a pending event happen.
func (n *node) fire(e *world.Event, now int64) error {
	earliest, latest, ok := n.world.Fires(e)
	if !ok {
		return fmt.Errorf("%v at %s is due, but cannot happen", e.Kind, n.system.Name(n.id))
	}
	delete(n.targets, e)
	var x entry
	switch e.Kind {
	case model.Deliver:
		m, err := shown(n.codec, e.Value)
		if err != nil {
			return err
		}
		sent := n.base + int64(e.Born)
		m.From, x.Sent = n.system.Nodes[e.From].Name, &sent
		x.Receive = &m
	default:
		raw, err := n.codec.JSON(e.Value)
		if err != nil {
			return err
		}
		switch e.Kind {
		case model.Timeout:
			x.Alarm = raw
		case model.Return:
			x.Result = raw
		default:
			if x.Call = raw; e.Kind == model.Invoke {
				n.ops++
				x.Op = n.ops
			}
		}
	}
	return n.step(world.Move{Kind: e.Kind, Event: e}, min(max(instant(now), earliest), latest), x)
}

// receive handles a frame of the hub. What became late meanwhile comes first.
func (n *node) receive(f frame) error {
	now := max(n.clock.now(), f.Sent+1) - n.base // after it was sent, also on the clocks
	if now > n.spec.Length-n.base {
		return nil
	}
	for {
		next, target := n.next(now)
		if next == nil || target > now {
			break
		}
		if err := n.fire(next, now); err != nil {
			return err
		}
	}
	m, err := n.arrived(f)
	if err != nil || m == nil {
		return errors.Join(err, n.tell(frame{Ack: f.ID}))
	}
	shown, err := shown(n.codec, m)
	if err != nil {
		return err
	}
	shown.From = n.system.Nodes[f.From].Name
	x := entry{Receive: &shown}
	if !f.Lie {
		x.Sent = &f.Sent
	}
	if err := n.step(world.Move{Kind: model.Forge, Node: n.id, From: model.NodeID(f.From), Value: m}, instant(now), x); err != nil {
		return err
	}
	return n.tell(frame{Ack: f.ID})
}

// arrived returns the message of a frame. A lie is drawn among those that the page permits; it is nil if there are none.
func (n *node) arrived(f frame) (any, error) {
	if !f.Lie {
		m, err := n.codec.FromJSON(f.Message)
		if err != nil {
			return nil, fmt.Errorf("a message from %s: %w", n.system.Nodes[f.From].Name, err)
		}
		return m, nil
	}
	lies, failed := guard.Forge(n.system, n.world.Live(n.id), n.id, model.NodeID(f.From))
	if failed != nil {
		return nil, fmt.Errorf("forge: %v", failed)
	}
	if len(lies) == 0 {
		return nil, nil
	}
	return n.codec.Copy(lies[n.pace.rng.IntN(len(lies))]), nil
}

// step takes a step, and shows it.
func (n *node) step(m world.Move, at world.Time, x entry) error {
	r, err := n.world.Step(m, at, n.choose)
	if err != nil {
		return err
	}
	for i, place := range n.held {
		if i < len(r.Held) && !r.Held[i].Held {
			n.choices[place] = 1
		}
	}
	return n.show(x, r.Observations)
}
