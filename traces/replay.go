package traces

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
)

// A Run is a trace as the interpreter took it.
type Run struct {
	Trace   *Trace
	Title   string              // of the variant, in words; "" of the protocol itself
	Watched []string            // the claims that were watched, by name
	World   *world.World        // as the last step left it
	Parts   int64               // of a tick, in the world's time
	Initial []*world.Event      // pending before the first step
	Holds   [][]world.Countdown // of each node before the first step
	Records []world.Record      // of the steps taken, with node states before and after
	// Turns lists, by the names of watched claims, the numbers of steps after which a claim turns: first it is put to the
	// test or, of one with a goal, the goal is reached; then it is not any more, and so on.
	Turns map[string][]int
	// Diverged says where the trace stopped being a run; nil when it is one.
	Diverged *Divergence

	protocol *model.Protocol
	claims   []model.Claim // that the replay was given
}

// First lists the states of the nodes before the first step, nil for one that has none: what was
// before a node's first record, or what the run never changed.
func (r *Run) First() []model.Node {
	all := make([]model.Node, len(r.World.System.Nodes))
	for i := range all {
		all[i] = r.World.Standing(model.NodeID(i)).State
	}
	for _, rec := range slices.Backward(r.Records) {
		if rec.Before != nil {
			all[rec.Node] = rec.Before
		}
	}
	return all
}

// A Divergence is the first place where a trace is not a run of its protocol.
type Divergence struct {
	Step int    // from 1; one more than there are steps when the end is wrong
	Text string // a sentence that names the step
}

func (d *Divergence) Error() string { return d.Text }

// Replay takes the steps of a trace one by one. Each must name one pending event
// that may happen at its time, give just the answers that are asked for, and have
// the recorded value; in the end the claim that the trace names must be violated.
// The first step that fails is reported as a [*Divergence], with the run up to it;
// any other error is bad input.
//
// Claims are those of the protocol that can be watched, linearizable ones with the
// monitor that the caller gives them; nil stands for the protocol's own. A claim
// about all that can follow a state is not judged by one run: of a trace that names
// such a claim only the end is checked, where the goal must not be reached.
func Replay(p *model.Protocol, t *Trace, claims []model.Claim) (*Run, error) {
	return ReplayShown(p, t, claims, nil)
}

// ReplayShown is Replay that shows which handler runs.
func ReplayShown(p *model.Protocol, t *Trace, claims []model.Claim, running *guard.Cell) (*Run, error) {
	run, r, err := replayed(p, t, claims, len(t.Steps), running, 1)
	if err != nil {
		return run, err
	}
	if text := r.end(); text != "" {
		return run.diverged(len(t.Steps)+1, "the trace ends, but "+text)
	}
	return run, nil
}

// ReplayUntil is Replay up to a step, in [0, the number of steps]: what comes later, and what
// the trace says of its end, is not looked at.
func ReplayUntil(p *model.Protocol, t *Trace, claims []model.Claim, step int) (*Run, error) {
	if step < 0 || step > len(t.Steps) {
		return nil, fmt.Errorf("state is %d, but must be 0, before the first step, to %d", step, len(t.Steps))
	}
	run, _, err := replayed(p, t, claims, step, nil, 1)
	return run, err
}

// replayed takes the first steps of a trace, in a world of at least so many parts of a tick.
func replayed(p *model.Protocol, t *Trace, claims []model.Claim, steps int, running *guard.Cell, parts int64) (*Run, *replay, error) {
	r, err := newReplay(p, t, claims, running, parts, false)
	if err != nil {
		return nil, nil, fmt.Errorf("trace: %w", err)
	}
	run := r.begun(p, t, claims)
	r.look(0)
	r.turn(run, 0)
	for i, s := range r.t.Steps[:steps] {
		rec, text := r.take(s)
		if text != "" {
			run, err := run.diverged(i+1, diverges(i+1, s, text))
			return run, r, err
		}
		run.Records = append(run.Records, rec)
		r.look(i + 1)
		r.turn(run, i+1)
	}
	return run, r, nil
}

// begun is the run of which no step was taken.
func (r *replay) begun(p *model.Protocol, t *Trace, claims []model.Claim) *Run {
	run := &Run{Trace: t, World: r.w, Parts: r.parts, Initial: r.w.Pending(), Turns: map[string][]int{}, protocol: p, claims: claims}
	if v, err := p.Variant(t.Variant); err == nil {
		run.Title = v.Title
	}
	for _, c := range r.watched {
		run.Watched = append(run.Watched, c.Name)
	}
	for i := range r.w.System.Nodes {
		run.Holds = append(run.Holds, r.w.Standing(model.NodeID(i)).Holds)
	}
	return run
}

// diverges names a step that cannot be taken, and why.
func diverges(number int, s Step, why string) string {
	return fmt.Sprintf("step %d (%.200s): %s", number, s, why)
}

func (r *Run) diverged(step int, text string) (*Run, error) {
	r.Diverged = &Divergence{step, text}
	return r, r.Diverged
}

// replay is a replay in progress.
type replay struct {
	t       *Trace
	w       *world.World
	parts   int64
	claim   model.Claim // the one the trace violates
	watched []model.Claim
	nodes   map[string]model.NodeID
	endless
}

// newReplay begins a replay. It is free to answer what the trace leaves open as the run begins.
func newReplay(p *model.Protocol, t *Trace, claims []model.Claim, running *guard.Cell, parts int64, free bool) (*replay, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if t.Protocol != p.Name {
		return nil, fmt.Errorf("protocol is %.60q, but this is %s", t.Protocol, p.Name)
	}
	s, err := p.System(t.Variant, t.Config.Model())
	if err != nil {
		return nil, err
	}
	t = t.renamed(s.Renamed)
	r := &replay{t: t, nodes: map[string]model.NodeID{}}
	for i, spec := range s.Nodes {
		r.nodes[spec.Name] = model.NodeID(i)
	}
	watched, err := watch(p, t, s, claims)
	if err != nil {
		return nil, err
	}
	r.watched = watched
	if i := slices.IndexFunc(watched, func(c model.Claim) bool { return c.Name == t.Claim }); i >= 0 {
		r.claim = watched[i]
	}
	if err := r.goals(); err != nil {
		return nil, err
	}
	if r.parts, err = partsOf(t.Steps); err != nil {
		return nil, err
	}
	r.parts = r.parts / gcd(r.parts, parts) * parts
	a := answers{given: t.Boot, free: free}
	r.w, err = world.New(s, watched, world.Options{Timed: t.Timed(), Parts: r.parts, Trace: true, Boot: a.next, Running: running})
	switch {
	case a.text != "":
		err = fmt.Errorf("boot: %s", a.text)
	case err == nil && a.used < len(a.given):
		err = fmt.Errorf("boot: as the run begins only %d of the %d choices are taken that the trace records", a.used, len(a.given))
	}
	return r, err
}

// renamed returns the trace with the names that types have now.
func (t *Trace) renamed(names map[string]string) *Trace {
	if len(names) == 0 {
		return t
	}
	now := *t
	now.Steps = slices.Clone(t.Steps)
	for i := range now.Steps {
		if name, ok := names[now.Steps[i].Type]; ok {
			now.Steps[i].Type = name
		}
	}
	return &now
}

// take takes one step. The text says why it cannot be, or is "".
func (r *replay) take(s Step) (world.Record, string) {
	m, at, text := r.find(s)
	if text != "" {
		return world.Record{}, text
	}
	return r.step(m, at, s.Choices)
}

// find finds the move that a step names, and its instant, which must suit it.
func (r *replay) find(s Step) (m world.Move, at world.Time, text string) {
	at, err := r.at(s)
	if err != nil {
		return m, at, err.Error()
	}
	if m, text = r.move(s); text == "" {
		text = r.untimely(m, at)
	}
	return m, at, text
}

// step takes a move, with just the answers that it asks for.
func (r *replay) step(m world.Move, at world.Time, choices []int) (world.Record, string) {
	a := answers{given: choices}
	rec, err := r.w.Step(m, at, a.next)
	switch {
	case a.text != "":
		return rec, a.text
	case err != nil:
		return rec, err.Error()
	case a.used < len(a.given):
		return rec, fmt.Sprintf("it takes only %d of the %d choices that the trace records", a.used, len(a.given))
	}
	return rec, ""
}

func (r *replay) at(s Step) (world.Time, error) {
	if !r.t.Timed() {
		return 0, nil
	}
	i, err := parseInstant(s.At)
	if err != nil {
		return 0, err
	}
	return i.in(r.parts)
}

// move finds what a step names.
func (r *replay) move(s Step) (world.Move, string) {
	kind, err := model.ParseEventKind(s.Kind)
	if err != nil {
		return world.Move{}, err.Error()
	}
	switch kind {
	case model.Crash, model.Stop, model.Restart:
		return r.strike(kind, s)
	case model.Forge:
		return r.forgery(s)
	case model.Mistake, model.Partition:
		return r.chosen(kind, s)
	}
	for _, e := range r.w.Pending() {
		if e.Occurrence == s.Occurrence && becomes(kind, e) && named(r.w, kind, e).same(s) {
			return world.Move{Kind: kind, Event: e}, altered(r.w.Codec, s, e.Value)
		}
	}
	return world.Move{}, r.missing(kind, s)
}

// becomes reports whether a pending event can be taken as a step of a kind.
func becomes(kind model.EventKind, e *world.Event) bool {
	if kind == model.Lose || kind == model.Duplicate {
		return e.Kind == model.Deliver && !e.Optional
	}
	return e.Kind == kind
}

func (r *replay) strike(kind model.EventKind, s Step) (world.Move, string) {
	id, ok := r.nodes[s.To]
	if kind == model.Partition {
		id, ok = -1, s.To == network
	}
	if !ok {
		return world.Move{}, fmt.Sprintf("there is no node %.40q", s.To)
	}
	return world.Move{Kind: kind, Node: id}, ""
}

// chosen makes a move of the environment with a value: a false suspicion, or a cut.
func (r *replay) chosen(kind model.EventKind, s Step) (world.Move, string) {
	m, text := r.strike(kind, s)
	if text != "" {
		return m, text
	}
	v, err := s.Decode(r.w.Codec)
	if err != nil {
		return m, "value: " + err.Error()
	}
	m.Value = v
	return m, ""
}

// forgery makes the move of a Byzantine node. What it says must be in its alphabet
// at this moment.
func (r *replay) forgery(s Step) (world.Move, string) {
	m, text := r.strike(model.Forge, s)
	if text != "" {
		return m, text
	}
	var ok bool
	if m.From, ok = r.nodes[s.From]; !ok || !r.w.System.Nodes[m.From].Byzantine {
		return m, fmt.Sprintf("%.40q is not a Byzantine node", s.From)
	}
	if r.w.Live(m.Node) == nil {
		return m, fmt.Sprintf("nothing can arrive at %s now", s.To)
	}
	v, err := s.Decode(r.w.Codec)
	if err != nil {
		return m, "value: " + err.Error()
	}
	want := r.w.Codec.Any(v, nil)
	for _, m.Value = range r.w.Alphabet(m.Node, m.From) {
		if bytes.Equal(r.w.Codec.Any(m.Value, nil), want) {
			return m, ""
		}
	}
	return m, fmt.Sprintf("%s cannot forge %s %.200s now", s.From, s.Type, s.Value)
}

// altered says that a step's value is not the event's, or nothing. A value from a
// file is shown as it stands there: its String may be unfit for it.
func altered(codec *value.Codec, s Step, is any) string {
	v, err := s.Decode(codec)
	if err != nil {
		return "value: " + err.Error()
	}
	if bytes.Equal(codec.Any(v, nil), codec.Any(is, nil)) {
		return ""
	}
	raw, err := valueJSON(codec, is)
	if err != nil {
		return "value: " + err.Error()
	}
	return fmt.Sprintf("value is %.200s, but the trace records %.200s", raw, s.Value)
}

// answers gives a step the choices that the trace records.
type answers struct {
	given []int
	used  int
	text  string // what is wrong with them
	free  bool   // what is not recorded is answered with 0
}

func (a *answers) next(n int, what string) int {
	if a.used == len(a.given) && a.free {
		return 0
	}
	if a.used == len(a.given) {
		a.text = fmt.Sprintf("it asks for choice %d (%s, 0 to %d), but the trace records %d", a.used+1, what, n-1, len(a.given))
		return -1 // the world refuses it, and the step with it
	}
	is := a.given[a.used]
	a.used++
	if is >= n {
		a.text = fmt.Sprintf("choice %d (%s) is %d, but must be 0 to %d", a.used, what, is, n-1)
		return -1
	}
	return is
}
