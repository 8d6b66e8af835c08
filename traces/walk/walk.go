// Package walk makes runs step by step: [Walk] shows what may happen next and takes one of it, [Place]
// names in a short text where a walk is, and [Walk.Nearest] looks around from there.
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

// A Walk is a run that somebody makes step by step: he sees what may happen next, takes one of it,
// and goes back. What he has walked is a trace at any moment, and a [Place].
type Walk struct {
	header  traces.Trace
	run     *replay.Run
	r       *replay.Replayer
	first   *world.World // as the walk began
	records *log[world.Record]
	choices *log[Choice]
	place   Place
}

// Begin starts a walk with the first steps of a trace, in [0, the number of steps]: none of a
// new one. Claims are watched as in [contend/traces/replay.Replay].
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
		if text := w.along(s); text != "" {
			return nil, replay.Diverges(i+1, s, text)
		}
	}
	return w, nil
}

// BeginAt starts a walk at a place, of what a trace is a run of; its steps are not looked at. The error
// is an [*Ask] where an answer is missing in the last of its choices.
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

// BeginIn starts a walk that has gone nowhere, of what a trace is a run of: its steps are not taken. It
// counts in so many parts of a tick, or a multiple of them, in [1, 2²⁰]. Answers that nodes need as the
// run begins are 0 where the trace does not have them.
func BeginIn(p *model.Protocol, t *traces.Trace, claims []model.Claim, parts int64) (*Walk, error) {
	h := *t
	h.Claim, h.Text, h.Cost, h.Loop, h.NoReturn = "", "", nil, 0, nil
	r, err := replay.Begin(p, &h, claims, traces.Finer(parts, finest))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	none := h // the replayer looks at those of h
	none.Steps = nil
	return &Walk{header: none, r: r, run: r.Begun(p, &none, claims), first: r.World.Fork(), records: &log[world.Record]{}, choices: &log[Choice]{}}, nil
}

// Fork returns a walk that is where this one is, so that either can go on without the other.
func (w *Walk) Fork() *Walk { return w.seeing(w.run.World) }

// seeing is a walk that looks at another world, which it does not change: a step is taken in a fork.
func (w *Walk) seeing(other *world.World) *Walk {
	f, run, r := *w, *w.run, *w.r
	f.run, f.r = &run, &r
	f.be(other)
	return &f
}

// be puts a world in place of the present one.
func (w *Walk) be(is *world.World) { w.run.World, w.r.World = is, is }

// Run is the walk so far, to be shown.
func (w *Walk) Run() *replay.Run { return w.run }

// Steps is how many steps were taken.
func (w *Walk) Steps() int { return len(w.run.Records) }

// Place is where the walk is.
func (w *Walk) Place() Place { return w.place }

// Now is the present instant, in ticks; "" in an untimed walk.
func (w *Walk) Now() string {
	if !w.header.Timed() {
		return ""
	}
	return traces.Ticks(w.run.World.Now, w.run.Parts)
}

// An Offer is what may happen next.
type Offer struct {
	Choice Choice // as a place names it, without instant and answers
	Kind   model.EventKind
	Node   model.NodeID // where it happens; -1 where it is at no node
	Where  string       // a node, a claim, or the environment
	Text   string
	Fault  bool // it is a move of the environment
	// Earliest and Latest are in ticks, in a timed walk; there is no Latest where time has no
	// bound.
	Earliest, Latest string

	move             world.Move
	earliest, latest world.Time
	inward           bool // the window has an open beginning, which the earliest instant may stand for
}

// Event is what is pending, of which the offer makes use; nil where it is a move of the environment
// without one.
func (o Offer) Event() *world.Event { return o.move.Event }

// Offers lists what may happen next: pending events node by node, then faults and lies. None is
// left where the run has ended.
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

// offers lists them in their order in a place, without words.
func (w *Walk) offers() (all []Offer) {
	for i, m := range w.run.World.Moves() {
		all = append(all, w.offer(m, Choice{Number: i + 1}))
	}
	for i, m := range w.run.World.Forgeries() {
		all = append(all, w.offer(m, Choice{Forged: true, Number: i + 1}))
	}
	return all
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// offer says between which instants a move may be taken.
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

// describe puts an offer into words.
func (w *Walk) describe(o *Offer) {
	o.Where, o.Text = show.Move(w.run, o.move)
	if w.header.Timed() {
		o.Earliest = traces.Ticks(o.earliest, w.run.Parts)
		if o.latest < world.Time(traces.Latest) {
			o.Latest = traces.Ticks(o.latest, w.run.Parts)
		}
	}
}

// An Ask says that a step needs another answer: a choice of the handler, a draw, or, untimed,
// whether a hold lasts (0) or is over (1).
type Ask struct {
	What string
	Of   int // the answer is in [0, Of)

	given int // the answers before it
}

func (a *Ask) Error() string {
	return fmt.Sprintf("the step asks for an answer: %s, 0 to %d", a.What, a.Of-1)
}

// Take takes an offer, at an instant in ticks, "" for the earliest, with answers to what its
// handlers ask. The error is an [*Ask] where one more answer is needed, or says why the step cannot
// be; the walk is then as it was.
func (w *Walk) Take(o Offer, at string, answered []int) error {
	instant, err := w.instant(o, at)
	if err != nil {
		return err
	}
	next, rec, err := w.stepped(o, instant, answered)
	if err != nil {
		return err
	}
	w.be(next)
	w.took(o, instant, rec)
	return nil
}

// stepped is the world after an offer was taken. The error is as that of [Walk.Take].
func (w *Walk) stepped(o Offer, at world.Time, answered []int) (*world.World, world.Record, error) {
	asked := &Ask{}
	used := 0
	next := w.run.World.Fork()
	rec, err := next.Step(o.move, at, func(n int, what string) int {
		if used == len(answered) || answered[used] < 0 || answered[used] >= n {
			*asked = Ask{What: what, Of: n, given: used}
			return -1
		}
		used++
		return answered[used-1]
	})
	if asked.Of > 0 {
		return nil, rec, asked
	}
	return next, rec, err
}

// instant is when an offer is to be taken.
func (w *Walk) instant(o Offer, at string) (world.Time, error) {
	if at == "" {
		return o.earliest, nil
	}
	if !w.header.Timed() {
		return 0, fmt.Errorf("at is %.40q, but this walk keeps no time", at)
	}
	i, err := traces.ParseInstant(at)
	if err != nil {
		return 0, err
	}
	if !i.Whole(w.run.Parts) {
		return 0, fmt.Errorf("at is %s, but this walk counts in parts of 1/%d tick", at, w.run.Parts)
	}
	instant, err := i.In(w.run.Parts)
	if err == nil && (instant < o.earliest || instant > o.latest) {
		w.describe(&o)
		err = fmt.Errorf("at is %s, but this may happen from %s to %s", at, o.Earliest, cmp.Or(o.Latest, "any time later"))
	}
	return instant, err
}

// took notes a step.
func (w *Walk) took(o Offer, at world.Time, rec world.Record) {
	w.records, w.run.Records = w.records.add(w.run.Records, rec)
	w.choices, w.place = w.choices.add(w.place, w.chosen(o, at, rec))
}

// chosen is what a place has of a step.
func (w *Walk) chosen(o Offer, at world.Time, rec world.Record) Choice {
	c := o.Choice
	if w.header.Timed() && (at != o.earliest || o.inward) {
		c.At = traces.Ticks(at, w.run.Parts)
	}
	for _, a := range rec.Choices {
		c.Answers = append(c.Answers, a.Is)
	}
	return c
}

// along takes a step of a trace. The text says why it cannot be, or is "".
func (w *Walk) along(s traces.Step) (text string) {
	m, at, text := w.r.Find(s)
	if text != "" {
		return text
	}
	o, ok := w.offered(m)
	if !ok {
		return "it is not among what may happen"
	}
	rec, text := w.r.Step(m, at, s.Choices)
	if text == "" {
		w.took(o, at, rec)
	}
	return text
}

// offered finds a move among those that there are.
func (w *Walk) offered(m world.Move) (o Offer, ok bool) {
	among := w.run.World.Moves()
	if m.Kind == model.Forge {
		among = w.run.World.Forgeries()
	}
	i := slices.IndexFunc(among, func(o world.Move) bool { return w.same(o, m) })
	if i < 0 {
		return o, false
	}
	return w.offer(among[i], Choice{Forged: m.Kind == model.Forge, Number: i + 1}), true
}

// same reports whether two moves are one.
func (w *Walk) same(a, b world.Move) bool {
	return a.Kind == b.Kind && a.Event == b.Event && a.Node == b.Node && a.From == b.From &&
		bytes.Equal(w.r.World.Codec.Any(a.Value, nil), w.r.World.Codec.Any(b.Value, nil))
}

// Go takes a choice as a place has it. The error is as that of [Walk.Take].
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

// follow goes the way of a place.
func (w *Walk) follow(place Place) error {
	for i, c := range place {
		if err := w.Go(c); err != nil {
			return fmt.Errorf("place: choice %d: %w", i+1, err)
		}
	}
	return nil
}

// Back undoes so many steps, all there are if they are fewer.
func (w *Walk) Back(steps int) error {
	way := w.place[:max(len(w.place)-steps, 0)]
	w.be(w.first.Fork())
	w.run.Records, w.place = nil, nil
	return w.follow(way)
}

// Trace is the walk as a trace, of the claim that it violates first, if any.
func (w *Walk) Trace() (*traces.Trace, error) {
	t := w.header
	if v := w.run.World.Violations; len(v) > 0 {
		t.Claim, t.Text = v[0].Claim, v[0].Text
	}
	return traces.FromRun(t, w.run.World, w.run.Parts, w.run.Records)
}
