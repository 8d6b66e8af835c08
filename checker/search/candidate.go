package search

import (
	"errors"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/model"
)

// candidate is a claim that a state, or a step from it, seems to break.
type candidate struct {
	claim, monitor int // the monitor of a step
	text           string
	key            fingerprint.Print // of the state
	step           bool
	boot           bool // the step is the beginning of the run
	fails          bool // the step ends in a handler that fails
	pinned         bool // the run has to be real at the very times of the search
	// measured is one more than the number of a cost that the step reports; 0 of others.
	measured int32
}

// shows reports whether what a monitor said of a step is what makes it a candidate.
func (c *candidate) shows(b step.Broken) bool {
	return b.Monitor == c.monitor && b.Measured == c.measured
}

// confirm takes a candidate to the interpreter.
func (x *explorer) confirm(c candidate) {
	if _, known := x.res.Violated[c.claim]; known || x.res.Reached[c.claim] || x.res.Disputed[c.claim] != "" || x.res.Spurious[c.claim] >= x.opt.MaxSpurious {
		return
	}
	switch x.try(c.claim, func() Candidate { return x.retrace(c) }) {
	case Real:
		if x.kind(c.claim) != model.Sometimes {
			x.confirmed = append(x.confirmed, c)
		}
	case StrictBound:
		if x.res.Spurious[c.claim]++; x.res.Spurious[c.claim] == x.opt.MaxSpurious {
			x.refineClaim(c.claim)
		}
	}
}

// try makes the run that breaks a claim, or is the witness of one, and takes it to the
// interpreter.
func (x *explorer) try(claim int, run func() Candidate) Confirmation {
	is, err := x.taken(claim, run)
	if err != nil {
		x.dispute(claim, err)
		return Unknown
	}
	return is
}

func (x *explorer) taken(claim int, run func() Candidate) (is Confirmation, err error) {
	defer disputed(&err)
	found := run()
	if x.opt.Confirm != nil {
		if is, err = x.opt.Confirm(found); err != nil {
			return is, err
		}
	}
	switch {
	case is != Real, x.kind(claim) == model.Measured:
	case x.kind(claim) == model.Sometimes:
		x.res.Reached[claim], x.res.Witnessed[claim] = true, true
	default:
		x.res.Violated[claim] = found
	}
	return is, nil
}

// disputed makes an error of the panic of a [runs.Disagreement].
func disputed(err *error) {
	switch p := recover().(type) {
	case nil:
	case runs.Disagreement:
		*err = p
	default:
		panic(p)
	}
}

// dispute leaves a claim without a verdict.
func (x *explorer) dispute(claim int, err error) {
	if x.res.Disputed[claim] != "" {
		return
	}
	if d := (runs.Disagreement{}); !errors.As(err, &d) {
		err = runs.Disagreement{Err: err}
	}
	x.res.Disputed[claim] = err.Error()
}

// retrace makes the run of a candidate.
func (x *explorer) retrace(c candidate) Candidate {
	r, by := x.runOf(c)
	text := c.text
	if c.step {
		b := by.Broken[slices.IndexFunc(by.Broken, c.shows)]
		if text = b.Text; b.Who >= 0 {
			text = x.Sys.Name(model.NodeID(b.Who)) + ": " + b.Text
		}
	}
	if asked := x.workers[0].asked; !c.step {
		if k := slices.Index(asked.Claims, c.claim); k >= 0 {
			text, _ = asked.Judge(k, r.V)
		}
	}
	out := Candidate{Claim: c.claim, Text: text, Boot: r.Boot, Steps: r.Steps, Nodes: x.taker.NodeBytes(r.V), InFlight: r.Flights, Loop: -1}
	if x.classes == nil {
		out.NoReturn, out.Parts = x.noReturn(c.claim, r), int64(x.Refine.Parts)
		out.Pinned = c.pinned && x.workers[0].PendingEvent(r.V)
	}
	if c.fails {
		out.cutShort()
	}
	return out
}

// runOf takes the run of a candidate again, and gives the move that shows what is wrong if a step does.
func (x *explorer) runOf(c candidate) (r runs.Route, by step.Move) {
	breaks := func(w *step.Worker) bool { return slices.ContainsFunc(w.Move.Broken, c.shows) }
	switch {
	case x.classes != nil && c.boot:
		return x.classes.runs.Boots(c.fails, breaks)
	case x.classes != nil && c.step:
		return x.classes.runs.Breaking(uint32(c.key.A), c.fails, breaks)
	case !c.boot:
		r = x.runTo(c.key)
	}
	if c.step {
		r, by = x.taker.Further(r, c.fails, func(w *step.Worker, _ []uint32, _ fingerprint.Print) bool { return breaks(w) })
	}
	return r, by
}

// runTo is a run to a state, or to a class.
func (x *explorer) runTo(key fingerprint.Print) runs.Route {
	if x.classes != nil {
		return x.classes.runs.To(uint32(key.A))
	}
	return x.taker.Way(key)
}

// cutShort leaves open to what the last step has come, in which a handler fails.
func (c *Candidate) cutShort() { c.Nodes, c.InFlight = nil, c.InFlight[:len(c.InFlight)-1] }

// met are the states that a search met, as they are taken again.
type met struct{ x *explorer }

func (m met) Stored(key fingerprint.Print) fingerprint.Print { return m.x.set.Stored(key) }

func (m met) Roots() []fingerprint.Print { return m.x.roots }

func (m met) Parents(of fingerprint.Print) []fingerprint.Print {
	x := m.x
	note, ok, err := x.noteOf(of)
	must(err)
	switch {
	case !ok:
		return nil
	case x.graph != nil:
		return x.graph.Parent(note - 1)
	}
	all, err := x.named(note >> 1)
	must(err)
	return all
}

// noteOf returns the note of a fingerprint, and named the fingerprints that go by a name.
func (x *explorer) noteOf(of fingerprint.Print) (note uint32, ok bool, err error) {
	if x.parts != nil {
		return x.parts.noteOf(of)
	}
	return x.set.NoteOf(of)
}

func (x *explorer) named(tag uint32) ([]fingerprint.Print, error) {
	if x.parts != nil {
		return x.parts.named(tag)
	}
	return x.set.Named(tag)
}
