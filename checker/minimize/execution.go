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

// An execution is a run during its execution.
type execution struct {
	stage   *stage
	world   *world.World
	parts   int64
	records []world.Record
	births  map[*world.Event]birth
	counts  map[eventName]int // events that the present step created so far, by name
	places  map[int]place
	origin  []int  // by step: its step in the base run, 0 for the beginning, -1 for none
	missed  bool   // a step missed its event
	failed  bool   // the run cannot continue
	round   *round // the repeated cycle, once it has begun
}

// An eventName is the key by which events are counted.
type eventName struct {
	kind       model.EventKind
	node, from model.NodeID
	label      string
}

func nameOf(e *world.Event) eventName {
	return eventName{e.Kind, e.Node, e.From, world.TypeName(e.Value)}
}

// start starts a run. Its nodes get the boot answers of another run.
func (m *minimizer) start(st *stage, parts int64, boot []world.Booted) (*execution, error) {
	t := &execution{stage: st, parts: parts, births: map[*world.Event]birth{}, counts: map[eventName]int{}, places: map[int]place{}, origin: []int{0}}
	var given answers
	for _, b := range boot {
		given.recorded = append(given.recorded, b.Choice)
	}
	w, err := world.Start(st.system, st.codec, st.watched, world.Options{Timed: st.header.Timed(), Clocks: st.header.Clocks, Parts: parts, Boot: given.next,
		Created: t.created, Running: m.opt.Running})
	t.world = w
	return t, err
}

// created is called by the world for each new event.
func (t *execution) created(e *world.Event) {
	n := nameOf(e)
	t.counts[n]++
	t.births[e] = birth{len(t.origin) - 1, t.counts[n]}
}

// step takes a move for a step of the base run. It reports whether the move was possible.
func (t *execution) step(mv world.Move, at world.Time, origin int, a answers) bool {
	t.origin = append(t.origin, origin)
	clear(t.counts)
	rec, err := t.world.Step(mv, at, a.next)
	if err != nil {
		t.origin = t.origin[:len(t.origin)-1]
		t.failed = errors.As(err, new(model.Refusal))
		return false
	}
	t.records = append(t.records, rec)
	return true
}

// result returns the run so far.
func (t *execution) result() *result {
	r := &result{stage: t.stage, world: t.world, parts: t.parts, records: t.records, births: t.births, places: t.places}
	if t.round != nil {
		r.loop = t.round.steps + 1
	}
	return r
}

// record repeats the run of a trace, and records which step creates which event. It returns nil if the run
// does not show the violation.
func (m *minimizer) record(st *stage, run *replay.Run) (*result, error) {
	t, err := m.start(st, run.Parts, run.World.Boot)
	if err != nil {
		return nil, err
	}
	for i, r := range run.Records {
		if m.interrupted() {
			return nil, replay.ErrStopped
		}
		if run.Trace.Loop == i+1 {
			t.beginRound()
		}
		mv := r.Move
		if e := mv.Event; e != nil {
			mv.Event = t.pending(nameOf(e), func(p *world.Event) bool { return p.Occurrence == e.Occurrence })
		}
		t.place(mv)
		if !t.step(mv, r.At, i+1, answers{recorded: r.Choices}) {
			return nil, errors.New("two executions of its run differ: some handler is not deterministic")
		}
		t.records[i].By = r.By
		t.observe()
	}
	if !m.judge(t) {
		return nil, nil
	}
	return t.result(), nil
}

// pending returns the first pending event of a name that satisfies a predicate, or nil.
func (t *execution) pending(n eventName, match func(e *world.Event) bool) *world.Event {
	for _, e := range t.world.Pending() {
		if nameOf(e) == n && match(e) {
			return e
		}
	}
	return nil
}

// place records the index of a forged message in its alphabet.
func (t *execution) place(mv world.Move) {
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

// A follower is the execution of a plan.
type follower struct {
	*execution
	plan   *plan
	wanted map[*world.Event]bool // events of the base run that later steps need
	done   []bool                // steps of the base run that were taken early
}

// execute takes the possible steps of a plan, until the claim breaks. It returns nil if the claim holds, and
// whether a step missed its event.
func (m *minimizer) execute(p plan) (is *result, amiss bool) {
	boot := slices.DeleteFunc(slices.Clone(p.base.world.Boot), func(b world.Booted) bool { return p.node(b.Node) < 0 })
	t, err := m.start(p.stage, p.ticks(), boot)
	if err != nil {
		return nil, false
	}
	f := &follower{execution: t, plan: &p, wanted: map[*world.Event]bool{}, done: make([]bool, len(p.drop))}
	for i, r := range p.base.records {
		if !p.drop[i] && r.Move.Event != nil {
			f.wanted[r.Move.Event] = true
		}
	}
	if p.base.loop == 0 && m.judge(t) {
		return t.result(), false
	}
	for i := range p.base.records {
		if p.base.loop == i+1 {
			t.beginRound()
		}
		if p.drop[i] || f.done[i] {
			continue
		}
		if m.late() {
			return nil, false
		}
		m.steps++
		if !f.follow(i) || t.failed || len(t.records) > len(p.base.records) {
			return nil, t.missed
		}
		if p.base.loop == 0 && m.judge(t) {
			return t.result(), t.missed
		}
	}
	if p.base.loop > 0 && m.judge(t) {
		return t.result(), t.missed
	}
	return nil, t.missed
}

// follow takes a step if it is possible. It returns false if the run cannot continue.
func (f *follower) follow(i int) bool {
	r := &f.plan.base.records[i]
	for forced := 0; ; forced++ {
		mv, ok := f.move(i, r)
		for n := 0; !ok && n < mostPrompts && f.prompt(r); n++ {
			mv, ok = f.move(i, r)
		}
		if !ok {
			return true
		}
		at, ok := f.nearestTime(mv, f.plan.instant(i))
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

// credit copies the name of the step's adversary, unless the message differs.
func (f *follower) credit(base *world.Record) {
	last := &f.records[len(f.records)-1]
	if last.Move.Kind != model.Forge || bytes.Equal(f.stage.codec.Any(last.Move.Value, nil), f.stage.codec.Any(base.Move.Value, nil)) {
		last.By = base.By
	}
}

// mostPrompts is the maximum number of messages that prompt one message.
const mostPrompts = 3

// prompt delivers a pending message to the sender of a missing message, preferably from the missing message's
// receiver. With other nodes than in the base run, the message that caused the sending may be missing, too.
func (f *follower) prompt(r *world.Record) bool {
	from, to := r.Move.From, r.Node
	if e := r.Move.Event; e != nil {
		from = e.From
	}
	if !f.plan.prompt || r.Move.Kind != model.Deliver && r.Move.Kind != model.Forge {
		return false
	}
	from, to = f.plan.node(from), f.plan.node(to)
	var next *world.Event
	for _, e := range f.world.Pending() {
		_, _, fires := f.world.Fires(e)
		if e.Kind != model.Deliver || e.Node != from || !fires || f.reserved(e) {
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

// nearestTime returns the possible instant of a move closest to a given one.
func (f *follower) nearestTime(mv world.Move, wish world.Time) (world.Time, bool) {
	if !f.stage.header.Timed() {
		return 0, true
	}
	earliest, latest, ok := f.window(mv)
	if f.plan.early {
		return earliest, ok
	}
	return min(max(wish, earliest), latest), ok
}

// window returns the possible instants of a move.
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

// force takes the event that must happen before time can advance. The event was omitted, or comes later in
// the plan. Several attempts may be needed, as in a FIFO channel.
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

// end returns a key that orders events by deadline. An open end is earlier than its instant.
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

// later returns the base run's step for an event, from 1, with its answers; -1 if there is none.
func (f *follower) later(e *world.Event) (step int, a answers) {
	b := f.births[e]
	for i, r := range f.plan.base.records {
		original := r.Move.Event
		if original == nil || r.Move.Kind != e.Kind || f.mappedName(original) != nameOf(e) {
			continue
		}
		if f.plan.base.births[original] == (birth{f.origin[b.step], b.nth}) {
			return i + 1, f.answers(i)
		}
	}
	return -1, answers{}
}

// answers returns the planned answers of a step.
func (f *follower) answers(i int) answers {
	recorded := f.plan.base.records[i].Choices
	if other := f.plan.chosen[i]; other != nil {
		recorded = append([]world.Choice(nil), recorded...)
		for at, value := range other {
			recorded[at].Is = value
		}
	}
	return answers{recorded: recorded}
}

// An answers repeats recorded answers: the next one to the same question, or 0.
type answers struct{ recorded []world.Choice }

func (a *answers) next(n int, what string) int {
	for i, c := range a.recorded {
		if c.What == what {
			a.recorded = a.recorded[i+1:]
			return min(c.Is, n-1)
		}
	}
	return 0
}
