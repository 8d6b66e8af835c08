package stepper

import (
	"contend/checker/sample/strategy"
	"contend/checker/search/component"
	"contend/checker/search/invariants"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
)

// Components are what the interned runs of a system are made of: its states, messages and monitors' states, each
// kept once, and what handlers do with them. Several runs may use them side by side.
type Components struct {
	engine *step.Engine
	claims []model.Claim
}

// NewComponents begins with none. Running shows the handler that runs: one at a time.
func NewComponents(s *model.System, codec *value.Codec, claims []model.Claim, timed bool, running *guard.Cell) *Components {
	st := component.NewStore(s, codec, claims, timed, component.Closing)
	st.Dense, st.Running, st.ToLiars = timed, running, true
	return &Components{step.NewEngine(st), claims}
}

// An Interned steps numbers: the search's states, by the search's own steps. Handlers run when what they are given
// is met for the first time, and are remembered.
type Interned struct {
	walk   *step.Walk
	asked  *invariants.Asker
	claims []model.Claim
	goals  map[string]invariants.Goal // by claim
	of     []string                   // the claims of monitors
	ended  []string                   // the claims that every script is done in the end
	keys   []uint64                   // of bases, for schedulers; 0 where it is not known yet

	moves  []Move
	own    int
	parted []int    // of each move of the list: its part, the node that is suspected, or the way to cut
	seen   int      // observations before the last step
	names  []uint64 // keys of messages, by base; 0 where one is not known yet
	kinds  []model.ObservationKind
	listed int32 // the step after which the moves were listed, or -1
	latest int64 // the instant by which something pending has to happen
	broken []string
	judged bool // claims about states were asked
	choose func(n int) int
	made   Decisions
}

// Decisions are those of the run so far: the answers of Start, and the moves.
func (x *Interned) Decisions() Decisions { return x.made }

// Interned returns a stepper, which takes one run after another: see [Interned.Begin].
// Running shows what runs in it.
func (c *Components) Interned(running *guard.Cell) *Interned {
	x := &Interned{walk: step.NewWalk(c.engine), claims: c.claims, goals: map[string]invariants.Goal{}}
	x.walk.Cell = running
	x.asked = invariants.New(x.walk.Worker, nil, nil, c.claims)
	x.walk.Answers = func(n int) int {
		is := x.choose(n)
		x.made.answers = append(x.made.answers, is)
		return is
	}
	for _, g := range invariants.GoalsOf(c.claims) {
		x.goals[c.claims[g.Claim].Name] = g
	}
	for _, claim := range c.claims {
		if claim.Monitor != nil {
			x.of = append(x.of, claim.Name)
		}
		if claim.Done && claim.Kind == model.Always {
			x.ended = append(x.ended, claim.Name)
		}
	}
	return x
}

// Begin begins a run with so many parts to a tick; untimed with 0. Choose answers Start.
func (x *Interned) Begin(parts int64, choose func(n int) int) {
	x.listed, x.broken, x.judged, x.choose = -1, x.broken[:0], false, choose
	x.made.steps, x.made.answers = x.made.steps[:0], x.made.answers[:0]
	x.walk.Begin(parts)
	x.made.Boot, x.made.answers = append(x.made.Boot[:0], x.made.answers...), x.made.answers[:0]
	x.judge()
}

// Moves implements [Stepper].
func (x *Interned) Moves() (moves []Move, own int) {
	if x.listed != x.walk.Steps {
		x.list()
		x.listed = x.walk.Steps
	}
	return x.moves, x.own
}

func (x *Interned) list() {
	w := x.walk
	x.moves, x.parted, x.own = x.moves[:0], x.parted[:0], 0
	if x.Failed() {
		return
	}
	x.latest = x.deadline()
	boots := w.Boots()
	for i := range w.At {
		p := &w.At[i]
		if p.Kind >= component.Hold || p.Cut || p.First > x.latest && w.Parts > 0 || p.Kind == component.Kind(model.Deliver) && !w.First(i) ||
			boots >= 0 && (p.Kind != component.Kind(model.Invoke) || int(p.Slot) != boots) {
			continue
		}
		x.add(model.EventKind(p.Kind), p, i)
	}
	x.own = len(x.moves)
	if boots < 0 && w.Strikes() {
		x.listFaults()
	}
}

// deadline is the latest instant to which the run may go on before something pending must have happened.
func (x *Interned) deadline() int64 {
	latest := step.Never
	for i := range x.walk.At {
		if p := &x.walk.At[i]; p.Kind < component.Hold && !p.Optional {
			latest = min(latest, p.Last)
		}
	}
	return latest
}

// add lists what happens to the event of the i-th part.
func (x *Interned) add(kind model.EventKind, p *step.Pending, i int) {
	m := Move{Kind: kind, Node: model.NodeID(p.Slot), Place: len(x.moves)}
	if p.Kind == component.Kind(model.Expire) {
		m.Node = -1
	}
	if m.From = m.Node; p.Kind == component.Kind(model.Deliver) {
		m.From = model.NodeID(p.From)
	}
	x.moves, x.parted = append(x.moves, m), append(x.parted, i)
}

// addFault lists what the environment does to a node, or to the network.
func (x *Interned) addFault(kind model.EventKind, node, about int) {
	x.moves = append(x.moves, Move{Kind: kind, Node: model.NodeID(node), From: model.NodeID(node), Place: len(x.moves)})
	x.parted = append(x.parted, about)
}

func (x *Interned) listFaults() {
	w := x.walk
	if loses, duplicates := w.Loses(), w.Duplicates(); loses || duplicates {
		for i := range w.At {
			p := &w.At[i]
			if p.Kind != component.Kind(model.Deliver) || p.Optional {
				continue
			}
			if loses {
				x.add(model.Lose, p, i)
			}
			if duplicates {
				x.add(model.Duplicate, p, i)
			}
		}
	}
	for i := range w.N {
		crash, stop := w.MayCrash(i)
		if crash {
			x.addFault(model.Crash, i, 0)
		}
		if stop {
			x.addFault(model.Stop, i, 0)
		}
		if w.MayRestart(i) {
			x.addFault(model.Restart, i, 0)
		}
	}
	w.Mistakes(func(to, of int) { x.addFault(model.Mistake, to, of) })
	for k := range w.Sides() {
		x.addFault(model.Partition, -1, k)
	}
}

// forgeable are the triggers of what one node may make up for another.
func (x *Interned) forgeable(to, from model.NodeID) []uint32 {
	if x.walk.V[to] == component.Down || x.walk.Parted(int(from), int(to)) {
		return nil
	}
	all, ok := x.walk.Alphabet(int(to))
	if !ok {
		panic(Unfit{"the system's Forge fails"})
	}
	first := 0
	for first < len(all) && x.walk.BaseOf(all[first]).From != int16(from) {
		first++
	}
	last := first
	for last < len(all) && x.walk.BaseOf(all[last]).From == int16(from) {
		last++
	}
	return all[first:last]
}

// Alphabet implements [Stepper].
func (x *Interned) Alphabet(to, from model.NodeID) int { return len(x.forgeable(to, from)) }

// Message implements [Stepper].
func (x *Interned) Message(to, from model.NodeID, place int) (message any) {
	id := x.walk.BaseOf(x.forgeable(to, from)[place]).Value
	x.walk.Ask(func() { message = x.walk.Decoded(id) })
	return message
}

// An Unfit is the panic of an interned run that cannot go on as one of a world would.
type Unfit struct{ Why string }

// Step implements [Stepper].
func (x *Interned) Step(m Move, at world.Time, choose func(n int) int) (taken bool, err error) {
	defer value.Caught(&err)
	x.choose, x.seen = choose, len(x.walk.Seen)
	taken = x.walk.Step(int64(at), func() { x.take(m) })
	x.made.steps = append(x.made.steps, decision{m, at, taken, len(x.made.answers)})
	if taken {
		x.judge()
	} else {
		x.listed = -1
		if !m.Kind.Adversarial() {
			x.walk.At[x.parted[m.Place]].Cut = true
		}
	}
	return taken, nil
}

func (x *Interned) take(m Move) {
	if m.Kind == model.Forge {
		x.walk.Forge(int(m.Node), x.forgeable(m.Node, m.From)[m.Place])
		return
	}
	switch about := x.parted[m.Place]; m.Kind {
	case model.Lose:
		x.walk.Lose(x.walk.Head + about)
	case model.Duplicate:
		x.walk.Duplicate(x.walk.Head + about)
	case model.Crash, model.Stop:
		x.walk.Crash(int(m.Node), m.Kind)
	case model.Restart:
		x.walk.Restart(int(m.Node))
	case model.Mistake:
		x.walk.Mistake(int(m.Node), about)
	case model.Partition:
		x.walk.Part(about)
	default:
		x.walk.Fire(x.walk.Head + about)
	}
}

// judge keeps the claims that the last step broke.
func (x *Interned) judge() {
	w := x.walk
	for _, b := range w.Broken {
		switch {
		case b.Monitor == step.Failing:
			x.broken = append(x.broken, model.NoHandlerFails)
		case b.Measured == 0:
			x.broken = append(x.broken, x.of[b.Monitor])
		}
	}
	if w.Failed {
		return
	}
	x.judged = true
	for k, claim := range x.asked.Claims {
		switch text, how := x.asked.Judge(k, w.V); {
		case how != "":
			x.broken = append(x.broken, model.NoHandlerFails)
		case text != "":
			x.broken = append(x.broken, x.claims[claim].Name)
		}
	}
	if len(x.ended) > 0 && x.stuck() {
		x.broken = append(x.broken, x.ended...)
	}
}

// stuck reports whether nothing can happen any more, nobody may come back, and a script is not done.
func (x *Interned) stuck() bool {
	w := x.walk
	if w.PendingEvent(w.V) || w.Done(w.V) {
		return false
	}
	for i := range w.N {
		if w.MayRestart(i) {
			return false
		}
	}
	return true
}

// Now implements [Stepper].
func (x *Interned) Now() world.Time { return world.Time(x.walk.Now) }

// Span implements [Stepper].
func (x *Interned) Span(m Move) (first, last world.Time) {
	if x.Moves(); m.Kind.Adversarial() {
		return x.Now(), world.Time(x.latest)
	}
	p := &x.walk.At[x.parted[m.Place]]
	return world.Time(max(p.First, x.walk.Now)), world.Time(min(p.Last, x.latest))
}

// Longest implements [Stepper].
func (x *Interned) Longest() model.Ticks { return x.walk.Longest }

// Steps implements [Stepper].
func (x *Interned) Steps() int { return int(x.walk.Steps) }

// Booting implements [Stepper].
func (x *Interned) Booting() bool { return len(x.walk.AtBoot) > 0 && x.walk.Boots() >= 0 }

// Done implements [Stepper].
func (x *Interned) Done() bool { return x.walk.Done(x.walk.V) }

// Failed implements [Stepper].
func (x *Interned) Failed() bool { return x.walk.Failed }

// Shortened implements [Stepper].
func (x *Interned) Shortened() bool { return x.walk.Cutting != 0 }

// Broken implements [Stepper].
func (x *Interned) Broken() []string { return x.broken }

// Event implements [Stepper].
func (x *Interned) Event(m Move) strategy.Event {
	e := strategy.Event{ID: -1, Kind: m.Kind, Node: m.Node, From: m.From}
	if m.Kind.Adversarial() && m.Kind != model.Lose && m.Kind != model.Duplicate {
		return e
	}
	i := x.parted[m.Place]
	p := &x.walk.At[i]
	e.ID, e.Cause, e.Key = p.Number, p.Step, x.key(x.walk.Flats[x.walk.V[x.walk.Head+i]].Trigger, p, m)
	return e
}

// key names an event by its value.
func (x *Interned) key(trigger uint32, p *step.Pending, m Move) uint64 {
	for int(trigger) >= len(x.keys) {
		x.keys = append(x.keys, 0)
	}
	if x.keys[trigger] == 0 {
		id := x.walk.BaseOf(trigger).Value
		x.walk.Ask(func() {
			x.keys[trigger] = eventKey([]byte(x.walk.Values.Items[id]), model.EventKind(p.Kind), m.Node, m.From)
		})
	}
	return x.keys[trigger]
}

// Local implements [Stepper].
func (x *Interned) Local(id model.NodeID) uint64 {
	if id < 0 || x.walk.V[id] == component.Down {
		return 0
	}
	return x.walk.LocalPrints[x.walk.V[id]].A
}

// Reached reports whether the goal of a claim is reached.
func (x *Interned) Reached(c model.Claim) bool { return x.asked.In(x.goals[c.Name], x.walk.V) }

// Doubt makes handlers run again whenever they are asked about. One that does not come to the same as before panics.
func (x *Interned) Doubt(doubts bool) { x.walk.Doubts = doubts }

// Again reports whether the run has to be taken again, since a live monitor of it turned out to keep time.
func (x *Interned) Again() bool { return x.walk.Active() }

// Live reports whether a monitor of the run is live.
func (x *Interned) Live() bool { return x.walk.Live() }

// InternMonitors keeps monitors from being live, from the next run on, or no longer.
func (x *Interned) InternMonitors(all bool) { x.walk.Interned = all }

// Monitors are the states of all monitors.
func (x *Interned) Monitors() (states []string) {
	for m := range x.walk.Monitors() {
		states = append(states, x.walk.MonitorState(m))
	}
	return states
}

// Observations are what monitors were told of in the run's steps.
func (x *Interned) Observations() (all []model.Observation) {
	x.walk.Ask(func() {
		for _, id := range x.walk.Seen {
			all = append(all, x.walk.Observation(x.walk.Store.Seen.Items[id]))
		}
	})
	return all
}

// Node is the canonical state of a node; nil of one that is down or Byzantine.
func (x *Interned) Node(id model.NodeID) (state []byte) {
	if local := x.walk.V[id]; local != component.Down {
		x.walk.Ask(func() { state = []byte(x.walk.Locals.Items[local].Bytes) })
	}
	return state
}

// Witnessed are the claims that the run put to the test.
func (x *Interned) Witnessed() map[string]bool {
	all := map[string]bool{}
	for m, claim := range x.of {
		if x.walk.Witness>>m&1 == 1 {
			all[claim] = true
		}
	}
	for _, c := range x.claims {
		if x.judged && (c.Invariant != nil || c.Done && c.Kind == model.Always) {
			all[c.Name] = true
		}
	}
	return all
}

// CutBy are the cuts that shortened the run.
func (x *Interned) CutBy() map[string]bool {
	all := map[string]bool{}
	for k, c := range x.walk.Sys.Cuts {
		if x.walk.Cutting>>k&1 == 1 {
			all[c.Name] = true
		}
	}
	return all
}

// Size is how many components there are. No run takes a step meanwhile.
func (c *Components) Size() int {
	e := c.engine
	return len(e.Locals.Items) + len(e.Values.Items) + len(e.Bases.Items) + len(e.Parts.Items) + len(e.Seen.Items) + len(e.AllResults)
}
