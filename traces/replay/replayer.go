package replay

import (
	"bytes"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/guard"
	"contend/model/value"
	"contend/model/world"
	"contend/traces"
)

// A Replayer executes the steps of a trace one at a time, with the checks of [Replay].
type Replayer struct {
	Trace   *traces.Trace // with the current names of types
	World   *world.World
	parts   int64
	claim   model.Claim // the claim that the trace violates
	watched []model.Claim
	nodes   map[string]model.NodeID
	endless
}

// Begin begins a replay of a trace that may lack Boot: missing choices are 0. The world counts in a multiple of
// the given number of parts of a tick.
func Begin(p *model.Protocol, t *traces.Trace, claims []model.Claim, parts int64) (*Replayer, error) {
	return newReplay(p, t, claims, nil, parts, true)
}

// newReplay begins a replay. If free is set, missing choices of Boot are 0.
func newReplay(p *model.Protocol, t *traces.Trace, claims []model.Claim, running *guard.Cell, parts int64, free bool) (*Replayer, error) {
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
	t = t.Renamed(s.Renamed)
	r := &Replayer{Trace: t, nodes: map[string]model.NodeID{}}
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
	if r.parts, err = traces.PartsOf(t.Steps); err != nil {
		return nil, err
	}
	r.parts = traces.Finer(r.parts, parts)
	a := answers{recorded: t.Boot, free: free}
	r.World, err = world.New(s, watched, world.Options{Timed: t.Timed(), Parts: r.parts, Clocks: t.Clocks, Trace: true, Boot: a.next, Running: running})
	switch {
	case a.text != "":
		err = fmt.Errorf("boot: %s", a.text)
	case err == nil && a.used < len(a.recorded):
		err = fmt.Errorf("boot: as the run begins only %d of the %d choices are taken that the trace records", a.used, len(a.recorded))
	}
	return r, err
}

// Begun returns the run without its steps.
func (r *Replayer) Begun(p *model.Protocol, t *traces.Trace, claims []model.Claim) *Run {
	run := &Run{Trace: t, World: r.World, Parts: r.parts, Initial: r.World.Pending(), Turns: map[string][]int{}, protocol: p, claims: claims}
	v, _ := p.Variant(t.Variant)
	run.Title = v.Title
	for _, c := range r.watched {
		run.Watched = append(run.Watched, c.Name)
	}
	for i := range r.World.System.Nodes {
		status := r.World.Status(model.NodeID(i))
		run.began, run.Holds = append(run.began, status.State), append(run.Holds, status.Holds)
	}
	return run
}

// execute executes one step. The text is the reason that the step is not possible, or "".
func (r *Replayer) execute(s traces.Step) (world.Record, string) {
	m, instant, text := r.Find(s)
	if text != "" {
		return world.Record{}, text
	}
	rec, text := r.Step(m, instant, s.Choices)
	rec.By = s.Adversary
	return rec, text
}

// Find returns the move that a step names, and its instant. The text is the reason that the move is not
// possible then, or "".
func (r *Replayer) Find(s traces.Step) (m world.Move, instant world.Time, text string) {
	instant, err := r.At(s)
	if err != nil {
		return m, instant, err.Error()
	}
	if m, text = r.move(s); text == "" {
		text = r.untimely(m, instant)
	}
	return m, instant, text
}

// Step executes a move. The text is the reason that it fails, such as missing or unused choices, or "".
func (r *Replayer) Step(m world.Move, instant world.Time, choices []int) (world.Record, string) {
	a := answers{recorded: choices}
	rec, err := r.World.Step(m, instant, a.next)
	switch {
	case a.text != "":
		return rec, a.text
	case err != nil:
		return rec, err.Error()
	case a.used < len(a.recorded):
		return rec, fmt.Sprintf("it takes only %d of the %d choices that the trace records", a.used, len(a.recorded))
	}
	return rec, ""
}

// At returns the instant of a step, in parts of a tick; 0 if the trace is untimed.
func (r *Replayer) At(s traces.Step) (world.Time, error) {
	if !r.Trace.Timed() {
		return 0, nil
	}
	i, err := traces.ParseInstant(s.At)
	if err != nil {
		return 0, err
	}
	return i.In(r.parts)
}

// move returns the move that a step names. The text is the reason that there is none, or "".
func (r *Replayer) move(s traces.Step) (world.Move, string) {
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
	for _, e := range r.World.Pending() {
		if e.Occurrence == s.Occurrence && becomes(kind, e) && traces.Named(r.World, kind, e).Same(s) {
			return world.Move{Kind: kind, Event: e}, altered(r.World.Codec, s, e.Value)
		}
	}
	return world.Move{}, r.missing(kind, s)
}

// becomes reports whether a pending event can be executed as a step of a kind.
func becomes(kind model.EventKind, e *world.Event) bool {
	if kind == model.Lose || kind == model.Duplicate {
		return e.Kind == model.Deliver && !e.Optional
	}
	return e.Kind == kind
}

func (r *Replayer) strike(kind model.EventKind, s traces.Step) (world.Move, string) {
	id, ok := r.nodes[s.To]
	if kind == model.Partition {
		id, ok = -1, s.To == traces.Network
	}
	if !ok {
		return world.Move{}, fmt.Sprintf("there is no node %.40q", s.To)
	}
	return world.Move{Kind: kind, Node: id}, ""
}

// chosen returns a move of the environment that has a value: a false suspicion or a partition.
func (r *Replayer) chosen(kind model.EventKind, s traces.Step) (world.Move, string) {
	m, text := r.strike(kind, s)
	if text != "" {
		return m, text
	}
	v, err := s.Decode(r.World.Codec)
	if err != nil {
		return m, "value: " + err.Error()
	}
	m.Value = v
	return m, ""
}

// forgery returns the move of a Byzantine node. The value must be in the node's alphabet in the present state.
func (r *Replayer) forgery(s traces.Step) (world.Move, string) {
	m, text := r.strike(model.Forge, s)
	if text != "" {
		return m, text
	}
	var ok bool
	if m.From, ok = r.nodes[s.From]; !ok || !r.World.System.Nodes[m.From].Byzantine {
		return m, fmt.Sprintf("%.40q is not a Byzantine node", s.From)
	}
	if r.World.Live(m.Node) == nil {
		return m, fmt.Sprintf("nothing can arrive at %s now", s.To)
	}
	v, err := s.Decode(r.World.Codec)
	if err != nil {
		return m, "value: " + err.Error()
	}
	want := r.World.Codec.Any(v, nil)
	for _, m.Value = range r.World.Alphabet(m.Node, m.From) {
		if bytes.Equal(r.World.Codec.Any(m.Value, nil), want) {
			return m, ""
		}
	}
	return m, fmt.Sprintf("%s cannot forge %s %.200s now", s.From, s.Type, s.Value)
}

// altered returns a text if the recorded value of a step differs from the event's, or "". The text has the
// recorded JSON, since String of a decoded value may fail.
func altered(codec *value.Codec, s traces.Step, want any) string {
	v, err := s.Decode(codec)
	if err != nil {
		return "value: " + err.Error()
	}
	if bytes.Equal(codec.Any(v, nil), codec.Any(want, nil)) {
		return ""
	}
	raw, err := traces.ValueJSON(codec, want)
	if err != nil {
		return "value: " + err.Error()
	}
	return fmt.Sprintf("value is %.200s, but the trace records %.200s", raw, s.Value)
}

// answers supplies the recorded choices to a step.
type answers struct {
	recorded []int
	used     int
	text     string // the reason for a divergence
	free     bool   // a choice that is not recorded is 0
}

func (a *answers) next(n int, what string) int {
	if a.used == len(a.recorded) && a.free {
		return 0
	}
	if a.used == len(a.recorded) {
		a.text = fmt.Sprintf("it asks for choice %d (%s, 0 to %d), but the trace records %d", a.used+1, what, n-1, len(a.recorded))
		return -1 // the world refuses the step
	}
	choice := a.recorded[a.used]
	a.used++
	if choice >= n {
		a.text = fmt.Sprintf("choice %d (%s) is %d, but must be 0 to %d", a.used, what, choice, n-1)
		return -1
	}
	return choice
}
