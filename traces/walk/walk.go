// Package walk makes runs interactively. A [Walk] lists the possible next steps and takes one. A [Place] is a
// short text for its position, and [Walk.Nearest] searches from there.
package walk

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
	"contend/traces/show"
)

// A Walk is a run that its caller extends step by step, and can undo. At any time it can be exported as a trace
// and as a [Place].
type Walk struct {
	header  traces.Trace
	run     *replay.Run
	r       *replay.Replayer
	first   *world.World // the initial state
	records *log[world.Record]
	choices *log[Choice]
	place   Place
}

// Begin starts a walk with the first steps of a trace. The number of steps is at most the length of the
// trace. Claims are monitored as in [contend/traces/replay.Replay].
func Begin(p *model.Protocol, t *traces.Trace, claims []model.Claim, steps int) (*Walk, error) {
	if steps < 0 || steps > len(t.Steps) {
		return nil, fmt.Errorf("step is %d, but must be 0, before the first, to %d", steps, len(t.Steps))
	}
	some := *t
	some.Steps = t.Steps[:steps]
	parts, err := traces.PartsOf(some.Steps)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	w, err := BeginIn(p, &some, claims, parts)
	if err != nil {
		return nil, err
	}
	for i, s := range w.r.Trace.Steps {
		if text := w.takeStep(s); text != "" {
			return nil, replay.Diverges(i+1, s, text)
		}
	}
	return w, nil
}

// BeginAt starts a walk at a place. The trace t has the protocol, variant and configuration; its steps are
// ignored. The error is an [*Ask] if the last choice of the place lacks an answer.
func BeginAt(p *model.Protocol, t *traces.Trace, claims []model.Claim, place Place) (*Walk, error) {
	parts, err := place.Parts()
	if err != nil {
		return nil, fmt.Errorf("place: %w", err)
	}
	none := *t
	none.Steps = nil
	w, err := BeginIn(p, &none, claims, parts)
	if err != nil {
		return nil, err
	}
	return w, w.follow(place)
}

// BeginIn starts a walk in the initial state. The trace t is used as in [BeginAt], with its Boot; missing
// choices of Boot are 0. The walk counts in a multiple of the given number of parts of a tick, at most 2²⁰.
func BeginIn(p *model.Protocol, t *traces.Trace, claims []model.Claim, parts int64) (*Walk, error) {
	h := *t
	h.Claim, h.Text, h.Cost, h.Loop, h.NoReturn = "", "", nil, 0, nil
	r, err := replay.Begin(p, &h, claims, traces.Finer(parts, finest))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	none := h // a copy, since the replayer stores h
	none.Steps = nil
	return &Walk{header: none, r: r, run: r.Begun(p, &none, claims), first: r.World.Fork(), records: &log[world.Record]{}, choices: &log[Choice]{}}, nil
}

// Fork returns an independent walk with the same position.
func (w *Walk) Fork() *Walk { return w.in(w.run.World) }

// in returns a walk in another world. It does not change that world, since a step is taken in a fork.
func (w *Walk) in(other *world.World) *Walk {
	f, run, r := *w, *w.run, *w.r
	f.run, f.r = &run, &r
	f.setWorld(other)
	return &f
}

// setWorld replaces the present world.
func (w *Walk) setWorld(state *world.World) { w.run.World, w.r.World = state, state }

// Run returns the walk so far, for display. The caller must not change it.
func (w *Walk) Run() *replay.Run { return w.run }

// Steps returns the number of steps taken.
func (w *Walk) Steps() int { return len(w.run.Records) }

// Place returns the position of the walk.
func (w *Walk) Place() Place { return w.place }

// Now returns the present instant in ticks, or "" in an untimed walk.
func (w *Walk) Now() string {
	if !w.header.Timed() {
		return ""
	}
	return traces.Ticks(w.run.World.Now, w.run.Parts)
}

// An Offer is a possible next step.
type Offer struct {
	Choice Choice // without instant and answers
	Kind   model.EventKind
	Node   model.NodeID // where it happens; -1 if at no node
	Where  string       // the name of a node or a claim, or the environment
	Text   string
	Fault  bool // it is a move of the environment
	// Earliest and Latest are in ticks; "" in an untimed walk. Latest is "" if the window is unbounded.
	Earliest, Latest string

	move             world.Move
	earliest, latest world.Time
	inward           bool // the window is open below, and earliest means an instant just inside it
}

// Event returns the pending event that the offer executes, or nil if it is a move of the environment without
// one.
func (o Offer) Event() *world.Event { return o.move.Event }

// Offers returns the possible next steps: pending events by node, then faults and forgeries. It is empty if the
// run has ended.
func (w *Walk) Offers() []Offer {
	all := w.offers()
	for i := range all {
		w.describe(&all[i])
	}
	slices.SortStableFunc(all, func(a, b Offer) int {
		return cmp.Or(cmp.Compare(number(a.Fault), number(b.Fault)), cmp.Compare(a.Node, b.Node))
	})
	return all
}

// offers returns the offers in the order of their numbers, without texts.
func (w *Walk) offers() (all []Offer) {
	for i, m := range w.run.World.Moves() {
		all = append(all, w.offer(m, Choice{Number: i + 1}))
	}
	for i, m := range w.run.World.Forgeries() {
		all = append(all, w.offer(m, Choice{Forged: true, Number: i + 1}))
	}
	return all
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// offer returns the offer for a move, with its window.
func (w *Walk) offer(m world.Move, c Choice) Offer {
	o := Offer{Choice: c, Kind: m.Kind, Node: m.Node, Fault: m.Kind.Adversarial(), move: m, earliest: w.run.World.Now}
	if m.Event != nil {
		o.Node = m.Event.Node
	}
	if !o.Fault {
		o.earliest, o.latest, _ = w.run.World.Fires(m.Event)
		o.inward = replay.DueOf(m.Event, w.run.Parts).LoOpen
	} else {
		last, open := w.run.World.Deadline()
		if o.latest = last; open {
			o.latest--
		}
	}
	return o
}

// describe sets the texts of an offer.
func (w *Walk) describe(o *Offer) {
	o.Where, o.Text = show.Move(w.run, o.move)
	if w.header.Timed() {
		o.Earliest = traces.Ticks(o.earliest, w.run.Parts)
		if o.latest < world.Time(traces.Latest) {
			o.Latest = traces.Ticks(o.latest, w.run.Parts)
		}
	}
}

// An Ask is the error of a step that needs another answer: the result of a choice, of a draw, or of an untimed
// query of a hold (0: it lasts, 1: it is over).
type Ask struct {
	What string
	Of   int // the answer is in [0, Of)

	index int // the number of answers before it
}

func (a *Ask) Error() string {
	return fmt.Sprintf("the step asks for an answer: %s, 0 to %d", a.What, a.Of-1)
}

// Take takes an offer with answers to the choices of its handlers. The instant is in ticks, and "" means the
// earliest. The error is an [*Ask] if another answer is needed, or the reason that the step is not possible.
// After an error the walk is unchanged.
func (w *Walk) Take(o Offer, text string, answers []int) error {
	instant, err := w.instant(o, text)
	if err != nil {
		return err
	}
	next, rec, err := w.step(o, instant, answers)
	if err != nil {
		return err
	}
	w.setWorld(next)
	w.record(o, instant, rec)
	return nil
}

// step returns the world after an offer, with the errors of [Walk.Take].
func (w *Walk) step(o Offer, instant world.Time, answers []int) (*world.World, world.Record, error) {
	ask := &Ask{}
	used := 0
	next := w.run.World.Fork()
	rec, err := next.Step(o.move, instant, func(n int, what string) int {
		if used == len(answers) || answers[used] < 0 || answers[used] >= n {
			*ask = Ask{What: what, Of: n, index: used}
			return -1
		}
		used++
		return answers[used-1]
	})
	if ask.Of > 0 {
		return nil, rec, ask
	}
	return next, rec, err
}

// instant parses the instant at which an offer is taken, and checks that it is within the offer's window.
func (w *Walk) instant(o Offer, text string) (world.Time, error) {
	if text == "" {
		return o.earliest, nil
	}
	if !w.header.Timed() {
		return 0, fmt.Errorf("at is %.40q, but this walk keeps no time", text)
	}
	i, err := traces.ParseInstant(text)
	if err != nil {
		return 0, err
	}
	if !i.Whole(w.run.Parts) {
		return 0, fmt.Errorf("at is %s, but this walk counts in parts of 1/%d tick", text, w.run.Parts)
	}
	instant, err := i.In(w.run.Parts)
	if err == nil && (instant < o.earliest || instant > o.latest) {
		w.describe(&o)
		err = fmt.Errorf("at is %s, but this may happen from %s to %s", text, o.Earliest, cmp.Or(o.Latest, "any time later"))
	}
	return instant, err
}

// record records a step.
func (w *Walk) record(o Offer, instant world.Time, rec world.Record) {
	w.records, w.run.Records = w.records.add(w.run.Records, rec)
	w.choices, w.place = w.choices.add(w.place, w.newChoice(o, instant, rec))
}

// newChoice returns the choice of a step, as part of a place.
func (w *Walk) newChoice(o Offer, instant world.Time, rec world.Record) Choice {
	c := o.Choice
	if w.header.Timed() && (instant != o.earliest || o.inward) {
		c.At = traces.Ticks(instant, w.run.Parts)
	}
	for _, a := range rec.Choices {
		c.Answers = append(c.Answers, a.Is)
	}
	return c
}

// takeStep takes a step of a trace. The text is the reason that the step is not possible, or "".
func (w *Walk) takeStep(s traces.Step) (text string) {
	m, instant, text := w.r.Find(s)
	if text != "" {
		return text
	}
	o, ok := w.find(m)
	if !ok {
		return "it is not among what may happen"
	}
	rec, text := w.r.Step(m, instant, s.Choices)
	if text == "" {
		w.record(o, instant, rec)
	}
	return text
}

// find returns the offer for a move. It reports false if the move is not possible.
func (w *Walk) find(m world.Move) (o Offer, ok bool) {
	among := w.run.World.Moves()
	if m.Kind == model.Forge {
		among = w.run.World.Forgeries()
	}
	i := slices.IndexFunc(among, func(o world.Move) bool { return w.equalMoves(o, m) })
	if i < 0 {
		return o, false
	}
	return w.offer(among[i], Choice{Forged: m.Kind == model.Forge, Number: i + 1}), true
}

// equalMoves reports whether two moves are equal.
func (w *Walk) equalMoves(a, b world.Move) bool {
	return a.Kind == b.Kind && a.Event == b.Event && a.Node == b.Node && a.From == b.From &&
		bytes.Equal(w.r.World.Codec.Any(a.Value, nil), w.r.World.Codec.Any(b.Value, nil))
}

// Go takes a choice of a place, with the errors of [Walk.Take].
func (w *Walk) Go(c Choice) error {
	among, what := w.run.World.Moves(), "what may happen next has"
	if c.Forged {
		among, what = w.run.World.Forgeries(), "what may be forged has"
	}
	if c.Number < 1 || c.Number > len(among) {
		return fmt.Errorf("%v is not offered: %s %d entries", c, what, len(among))
	}
	o := w.offer(among[c.Number-1], Choice{Forged: c.Forged, Number: c.Number})
	return w.Take(o, c.At, c.Answers)
}

// follow takes the choices of a place.
func (w *Walk) follow(place Place) error {
	for i, c := range place {
		if err := w.Go(c); err != nil {
			return fmt.Errorf("place: choice %d: %w", i+1, err)
		}
	}
	return nil
}

// Back undoes the last steps, or all if there are fewer. It replays the others from the initial state.
func (w *Walk) Back(steps int) error {
	way := w.place[:max(len(w.place)-steps, 0)]
	w.setWorld(w.first.Fork())
	w.run.Records, w.place = nil, nil
	return w.follow(way)
}

// Trace returns the walk as a trace. Its claim is the first that is violated, if any.
func (w *Walk) Trace() (*traces.Trace, error) {
	t := w.header
	if v := w.run.World.Violations; len(v) > 0 {
		t.Claim, t.Text = v[0].Claim, v[0].Text
	}
	return traces.FromRun(t, w.run.World, w.run.Parts, w.run.Records)
}
