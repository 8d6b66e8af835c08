package traces

import (
	"cmp"
	"fmt"
	"slices"

	"contend/model"
	"contend/model/world"
)

// A Walk is a run that somebody makes step by step: he sees what may happen next, takes one of it,
// and goes back. What he has walked is a trace at any moment.
type Walk struct {
	p      *model.Protocol
	claims []model.Claim
	header Trace
	run    *Run
	r      *replay
}

// finest are the parts of a tick in which a walk may name an instant, at the least.
const finest = 60

// Begin starts a walk with the first steps of a trace, in [0, the number of steps]: none of a
// new one. Claims are watched as in [Replay].
func Begin(p *model.Protocol, t *Trace, claims []model.Claim, steps int) (*Walk, error) {
	if steps < 0 || steps > len(t.Steps) {
		return nil, fmt.Errorf("step is %d, but must be 0, before the first, to %d", steps, len(t.Steps))
	}
	w := &Walk{p: p, claims: claims, header: *t}
	w.header.Steps, w.header.Claim, w.header.Text, w.header.Cost = nil, "", "", nil
	w.header.Loop, w.header.NoReturn = 0, nil
	return w, w.from(t.Steps[:steps])
}

// from walks steps from the beginning.
func (w *Walk) from(steps []Step) error {
	t := w.header
	t.Steps = steps
	run, r, err := replayed(w.p, &t, w.claims, len(steps), nil, finest)
	if err != nil {
		return err
	}
	w.run, w.r = run, r
	return nil
}

// Run is the walk so far, to be shown.
func (w *Walk) Run() *Run {
	t := w.header
	w.run.Trace = &t
	return w.run
}

// Steps is how many steps were taken.
func (w *Walk) Steps() int { return len(w.run.Records) }

// Now is the present instant, in ticks; "" in an untimed walk.
func (w *Walk) Now() string {
	if !w.header.Timed() {
		return ""
	}
	return formatInstant(w.run.World.Now, w.run.Parts)
}

// An Offer is what may happen next.
type Offer struct {
	Where string // a node, a claim, or the environment
	Text  string
	Fault bool // it is a move of the environment
	// Earliest and Latest are in ticks, in a timed walk; there is no Latest where time has no
	// bound.
	Earliest, Latest string

	move             world.Move
	earliest, latest world.Time
}

// Offers lists what may happen next: pending events node by node, then faults and lies. None is
// left where the run has ended.
func (w *Walk) Offers() []Offer {
	var all []Offer
	moves := slices.Concat(w.run.World.Moves(), w.run.World.Forgeries())
	for _, m := range moves {
		o := w.offer(m)
		if o.earliest <= o.latest {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b Offer) int {
		return cmp.Or(cmp.Compare(number(a.Fault), number(b.Fault)), cmp.Compare(w.place(a), w.place(b)))
	})
	return all
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// place is the order in which offers stand.
func (w *Walk) place(o Offer) int {
	if o.move.Event != nil {
		return int(o.move.Event.Node)
	}
	return int(o.move.Node)
}

// offer describes a move, and between which instants it may be taken.
func (w *Walk) offer(m world.Move) Offer {
	t := texter{run: w.run}
	rec := world.Record{Move: m, Node: m.Node}
	o := Offer{Where: t.who(rec), Text: t.what(m), Fault: m.Kind.Adversarial(), move: m, earliest: w.run.World.Now}
	if m.Event != nil && !o.Fault {
		o.earliest, o.latest, _ = w.run.World.Fires(m.Event)
	} else {
		last, open := w.run.World.Deadline()
		if o.latest = last; open {
			o.latest--
		}
	}
	if w.header.Timed() {
		o.Earliest = formatInstant(o.earliest, w.run.Parts)
		if o.latest < world.Time(latest) {
			o.Latest = formatInstant(o.latest, w.run.Parts)
		}
	} else {
		o.latest = max(o.latest, o.earliest)
	}
	return o
}

// An Ask says that a step needs another answer: a choice of the handler, a draw, or, untimed,
// whether a hold lasts (0) or is over (1).
type Ask struct {
	What string
	Of   int // the answer is in [0, Of)
}

func (a *Ask) Error() string {
	return fmt.Sprintf("the step asks for an answer: %s, 0 to %d", a.What, a.Of-1)
}

// Take takes an offer, at an instant in ticks, "" for the earliest, with answers to what its
// handlers ask. The error is an [*Ask] where one more answer is needed, or says why the step cannot
// be; the walk is then as it was.
func (w *Walk) Take(o Offer, at string, answered []int) error {
	instant := o.earliest
	if at != "" {
		i, err := parseInstant(at)
		if err != nil {
			return err
		}
		if w.run.Parts%i.den != 0 {
			return fmt.Errorf("at is %s, but this walk counts in parts of 1/%d tick", at, w.run.Parts)
		}
		if instant, err = i.in(w.run.Parts); err != nil {
			return err
		}
		if instant < o.earliest || instant > o.latest {
			return fmt.Errorf("at is %s, but this may happen from %s to %s", at, o.Earliest, cmp.Or(o.Latest, "any time later"))
		}
	}
	asked := &Ask{}
	used := 0
	rec, err := w.run.World.Step(o.move, instant, func(n int, what string) int {
		if used == len(answered) || answered[used] < 0 || answered[used] >= n {
			*asked = Ask{What: what, Of: n}
			return -1
		}
		used++
		return answered[used-1]
	})
	if err == nil && asked.Of == 0 {
		w.run.Records = append(w.run.Records, rec)
		return nil
	}
	if again := w.Back(0); again != nil {
		return again
	}
	if asked.Of > 0 {
		return asked
	}
	return err
}

// Back undoes so many steps, all there are if they are fewer.
func (w *Walk) Back(steps int) error {
	t, err := w.Trace()
	if err != nil {
		return err
	}
	return w.from(t.Steps[:max(len(t.Steps)-steps, 0)])
}

// Trace is the walk as a trace, of the claim that it violates first, if any.
func (w *Walk) Trace() (*Trace, error) {
	t := w.header
	if v := w.run.World.Violations; len(v) > 0 {
		t.Claim, t.Text = v[0].Claim, v[0].Text
	}
	return FromRun(t, w.run.World, w.run.Parts, w.run.Records)
}
