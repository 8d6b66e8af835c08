package minimize

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces/replay"
)

// A taking is a run while it is taken.
type taking struct {
	stage   *stage
	world   *world.World
	parts   int64
	records []world.Record
	births  map[*world.Event]birth
	made    map[called]int // events that the present step has made so far, by name
	places  map[int]place
	origin  []int  // by step: the step of the plan's run that it stands for, 0 for the beginning, -1 for none
	amiss   bool   // an event was gone that a step was to take
	failed  bool   // the run cannot go on
	round   *round // that is repeated for ever, once it has begun
}

// called is what events are counted by.
type called struct {
	kind       model.EventKind
	node, from model.NodeID
	label      string
}

func nameOf(e *world.Event) called { return called{e.Kind, e.Node, e.From, world.TypeName(e.Value)} }

// start begins a run. The nodes are given the answers that they were given as another run began.
func (m *minimizer) start(st *stage, parts int64, boot []world.Booted) (*taking, error) {
	t := &taking{stage: st, parts: parts, births: map[*world.Event]birth{}, made: map[called]int{}, places: map[int]place{}, origin: []int{0}}
	var given answers
	for _, b := range boot {
		given.was = append(given.was, b.Choice)
	}
	w, err := world.Start(st.system, st.codec, st.watched, world.Options{Timed: st.header.Timed(), Parts: parts, Boot: given.next,
		Created: t.named, Running: m.opt.Running})
	t.world = w
	return t, err
}

// named is told of each event that comes to be.
func (t *taking) named(e *world.Event) {
	n := nameOf(e)
	t.made[n]++
	t.births[e] = birth{len(t.origin) - 1, t.made[n]}
}

// step takes a move, which stands for a step of the plan's run, and reports whether it was possible.
func (t *taking) step(mv world.Move, at world.Time, origin int, a answers) bool {
	t.origin = append(t.origin, origin)
	clear(t.made)
	rec, err := t.world.Step(mv, at, a.next)
	if err != nil {
		t.origin = t.origin[:len(t.origin)-1]
		t.failed = errors.As(err, new(model.Refusal))
		return false
	}
	t.records = append(t.records, rec)
	return true
}

// taken is the run as far as it has come.
func (t *taking) taken() *taken {
	is := &taken{stage: t.stage, world: t.world, parts: t.parts, records: t.records, births: t.births, places: t.places}
	if t.round != nil {
		is.loop = t.round.after + 1
	}
	return is
}

// record takes the run of a trace once more, in a world that tells which step makes which event. It is nil where
// the run does not break its claim by itself.
func (m *minimizer) record(st *stage, run *replay.Run) (*taken, error) {
	t, err := m.start(st, run.Parts, run.World.Boot)
	if err != nil {
		return nil, err
	}
	for i, r := range run.Records {
		if m.interrupted() {
			return nil, replay.ErrStopped
		}
		if run.Trace.Loop == i+1 {
			t.begins()
		}
		mv := r.Move
		if e := mv.Event; e != nil {
			mv.Event = t.pending(nameOf(e), func(p *world.Event) bool { return p.Occurrence == e.Occurrence })
		}
		t.place(mv)
		if !t.step(mv, r.At, i+1, answers{was: r.Choices}) {
			return nil, errors.New("its run is not the same when it is taken twice: some handler is not a function of what it is given")
		}
		t.records[i].By = r.By
		t.observe()
	}
	if !m.judge(t) {
		return nil, nil
	}
	return t.taken(), nil
}

// pending finds an event of a name.
func (t *taking) pending(n called, is func(e *world.Event) bool) *world.Event {
	for _, e := range t.world.Pending() {
		if nameOf(e) == n && is(e) {
			return e
		}
	}
	return nil
}

// place notes which place of its alphabet a forgery has.
func (t *taking) place(mv world.Move) {
	if mv.Kind != model.Forge {
		return
	}
	want := t.stage.codec.Any(mv.Value, nil)
	all := t.world.Alphabet(mv.Node, mv.From)
	i := slices.IndexFunc(all, func(v any) bool { return bytes.Equal(t.stage.codec.Any(v, nil), want) })
	if i >= 0 {
		t.places[len(t.records)+1] = place{i, len(all)}
	}
}

// A follower takes a plan.
type follower struct {
	*taking
	plan   *plan
	wanted map[*world.Event]bool // events of the plan's run that a step to come takes
	done   []bool                // steps of the plan's run that were taken before their turn
}

// take takes the steps of a plan that are possible, until the claim breaks. It returns nil if it does not, and
// whether an event was gone that a step was to take.
func (m *minimizer) take(p plan) (is *taken, amiss bool) {
	boot := slices.DeleteFunc(slices.Clone(p.of.world.Boot), func(b world.Booted) bool { return p.node(b.Node) < 0 })
	t, err := m.start(p.stage, p.ticks(), boot)
	if err != nil {
		return nil, false
	}
	f := &follower{taking: t, plan: &p, wanted: map[*world.Event]bool{}, done: make([]bool, len(p.drop))}
	for i, r := range p.of.records {
		if !p.drop[i] && r.Move.Event != nil {
			f.wanted[r.Move.Event] = true
		}
	}
	if p.of.loop == 0 && m.judge(t) {
		return t.taken(), false
	}
	for i := range p.of.records {
		if p.of.loop == i+1 {
			t.begins()
		}
		if p.drop[i] || f.done[i] {
			continue
		}
		if m.late() {
			return nil, false
		}
		m.steps++
		if !f.follow(i) || t.failed || len(t.records) > len(p.of.records) {
			return nil, t.amiss
		}
		if p.of.loop == 0 && m.judge(t) {
			return t.taken(), t.amiss
		}
	}
	if p.of.loop > 0 && m.judge(t) {
		return t.taken(), t.amiss
	}
	return nil, t.amiss
}

// follow takes a step of the plan's run if it is possible. It reports false where nothing more can be.
func (f *follower) follow(i int) bool {
	r := &f.plan.of.records[i]
	for forced := 0; ; forced++ {
		mv, ok := f.move(i, r)
		for asked := 0; !ok && asked < mostAsked && f.ask(r); asked++ {
			mv, ok = f.move(i, r)
		}
		if !ok {
			return true
		}
		at, ok := f.when(mv, f.plan.at(i))
		if ok {
			f.place(mv)
			if f.step(mv, at, i+1, f.answers(i)) {
				f.credit(r)
				f.observe()
			}
			return true
		}
		if !f.stage.header.Timed() || forced == len(f.plan.drop) || !f.force() {
			return true
		}
		if f.failed {
			return false
		}
	}
}

// credit leaves a step with the adversary that chose it, unless another lie stands in its place.
func (f *follower) credit(was *world.Record) {
	is := &f.records[len(f.records)-1]
	if is.Move.Kind != model.Forge || bytes.Equal(f.stage.codec.Any(is.Move.Value, nil), f.stage.codec.Any(was.Move.Value, nil)) {
		is.By = was.By
	}
}

// mostAsked is how many messages a node is handed for one that it is to send.
const mostAsked = 3

// ask hands the sender of a message that is missing one that it has not had, first from whom the message is for: where
// nodes are others than in the plan's run, what made a node send it may be missing too.
func (f *follower) ask(r *world.Record) bool {
	from, to := r.Move.From, r.Node
	if e := r.Move.Event; e != nil {
		from = e.From
	}
	if !f.plan.ask || r.Move.Kind != model.Deliver && r.Move.Kind != model.Forge {
		return false
	}
	from, to = f.plan.node(from), f.plan.node(to)
	var next *world.Event
	for _, e := range f.world.Pending() {
		_, _, fires := f.world.Fires(e)
		if e.Kind != model.Deliver || e.Node != from || !fires || f.promised(e) {
			continue
		}
		if next == nil || next.From != to && e.From == to {
			next = e
		}
	}
	if next == nil {
		return false
	}
	earliest, _, _ := f.world.Fires(next)
	if !f.step(world.Move{Kind: model.Deliver, Event: next}, earliest, -1, answers{}) {
		return false
	}
	f.observe()
	return true
}

// when is the instant for a move that is closest to one that is wished for.
func (f *follower) when(mv world.Move, wish world.Time) (world.Time, bool) {
	if !f.stage.header.Timed() {
		return 0, true
	}
	earliest, latest, ok := f.window(mv)
	if f.plan.early {
		return earliest, ok
	}
	return min(max(wish, earliest), latest), ok
}

// window says between which instants a move may be.
func (f *follower) window(mv world.Move) (earliest, latest world.Time, ok bool) {
	if !mv.Kind.Adversarial() {
		return f.world.Fires(mv.Event)
	}
	latest, open := f.world.Deadline()
	if open {
		latest--
	}
	return f.world.Now, latest, f.world.Now <= latest
}

// force takes what must happen before time goes on: it was left out, or comes later in the plan. What has to happen first by its own window
// may have to wait for another, as in a channel that keeps the order.
func (f *follower) force() bool {
	var next *world.Event
	for _, e := range f.world.Pending() {
		if _, _, ok := f.world.Fires(e); ok && !e.Optional && (next == nil || f.end(e) < f.end(next)) {
			next = e
		}
	}
	if next == nil {
		return false
	}
	_, latest, _ := f.world.Fires(next)
	i, a := f.later(next)
	if i > 0 {
		f.done[i-1] = true
	}
	if !f.step(world.Move{Kind: next.Kind, Event: next}, latest, i, a) {
		return false
	}
	f.observe()
	return true
}

// end orders events by when they must have happened; an end that excludes its instant comes before it.
func (f *follower) end(e *world.Event) int64 {
	hi := e.Window.Hi
	if hi.At == model.Forever {
		return math.MaxInt64
	}
	at := 2 * (int64(e.Born) + int64(hi.At)*f.parts)
	if hi.Open {
		at--
	}
	return at
}

// later finds the step of the plan's run that would have taken an event, from 1, with the answers that it was given; -1
// if there is none.
func (f *follower) later(e *world.Event) (step int, a answers) {
	b := f.births[e]
	for i, r := range f.plan.of.records {
		was := r.Move.Event
		if was == nil || r.Move.Kind != e.Kind || f.nameIn(was) != nameOf(e) {
			continue
		}
		if f.plan.of.births[was] == (birth{f.origin[b.step], b.nth}) {
			return i + 1, f.answers(i)
		}
	}
	return -1, answers{}
}

// answers are those that a step of the plan's run was given.
func (f *follower) answers(i int) answers {
	was := f.plan.of.records[i].Choices
	if other := f.plan.chosen[i]; other != nil {
		was = append([]world.Choice(nil), was...)
		for at, is := range other {
			was[at].Is = is
		}
	}
	return answers{was: was}
}

// answers gives a step what it was given before: the next answer to the same question, or the first
// of those there are.
type answers struct{ was []world.Choice }

func (a *answers) next(n int, what string) int {
	for i, c := range a.was {
		if c.What == what {
			a.was = a.was[i+1:]
			return min(c.Is, n-1)
		}
	}
	return 0
}
