package search

import (
	"errors"
	"slices"

	"contend/checker/search/fingerprint"
	"contend/checker/search/runs"
	"contend/checker/search/step"
	"contend/checker/search/suspect"
	"contend/model"
)

// confirm passes a candidate to the interpreter, and records what it finds.
func (x *explorer) confirm(c suspect.Suspect) {
	o := &x.res.Claims[c.Claim]
	if o.settled() || o.Spurious >= x.opt.MaxSpurious {
		return
	}
	switch x.try(c.Claim, func() Candidate { return x.retrace(c) }) {
	case Real:
		if x.kind(c.Claim) != model.Sometimes {
			x.confirmed = append(x.confirmed, c)
		}
	case StrictBound:
		if o.Spurious++; o.Spurious == x.opt.MaxSpurious {
			x.refineClaim(c.Claim)
		}
	}
}

// try builds the run of a candidate and passes it to the interpreter. If the two disagree, it disputes the claim.
func (x *explorer) try(claim int, run func() Candidate) Confirmation {
	is, err := x.passed(claim, run)
	if err != nil {
		x.dispute(claim, err)
		return Unknown
	}
	return is
}

// passed builds the run of a candidate and passes it to the interpreter.
func (x *explorer) passed(claim int, run func() Candidate) (is Confirmation, err error) {
	defer disputed(&err)
	found := run()
	if is, err = x.opt.Confirm(found); err != nil {
		return is, err
	}
	switch {
	case is != Real, x.kind(claim) == model.Measured:
	case x.kind(claim) == model.Sometimes:
		x.res.Claims[claim].Reached, x.res.Claims[claim].Witnessed = true, true
	default:
		x.res.Claims[claim].Violated = &found
	}
	return is, nil
}

// disputed turns the panic of a [runs.Disagreement] into an error.
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
	if x.res.Claims[claim].Disputed != "" {
		return
	}
	if d := (runs.Disagreement{}); !errors.As(err, &d) {
		err = runs.Disagreement{Err: err}
	}
	x.res.Claims[claim].Disputed = err.Error()
}

// retrace builds the run of a candidate.
func (x *explorer) retrace(c suspect.Suspect) Candidate {
	r, by := x.runOf(c)
	text := c.Text
	if c.Step {
		b := by.Broken[slices.IndexFunc(by.Broken, c.Matches)]
		if text = b.Text; b.Who >= 0 {
			text = x.Sys.Name(model.NodeID(b.Who)) + ": " + b.Text
		}
	}
	if k := slices.Index(x.workers[0].asked.Claims, c.Claim); k >= 0 { // of an invariant
		text, _ = x.workers[0].asked.Judge(k, r.V)
	}
	out := Candidate{Claim: c.Claim, Text: text, Boot: r.Boot, Steps: r.Steps, Nodes: x.taker.NodeBytes(r.V), InFlight: r.Flights, Loop: -1}
	x.traversal.detail(&out, c, r)
	if c.Fails {
		out.cutShort()
	}
	return out
}

// runOf returns the run of a candidate. If its last step shows what is wrong, by is the step's move.
func (x *explorer) runOf(c suspect.Suspect) (r runs.Route, by step.Move) {
	switch {
	case c.Step:
		return x.traversal.runOver(c)
	case !c.Boot:
		r = x.traversal.runTo(c.Key)
	}
	return r, by
}

// breaks reports whether the present step of a worker shows a candidate.
func breaks(w *step.Worker, c suspect.Suspect) bool {
	return slices.ContainsFunc(w.Move.Broken, c.Matches)
}

// of returns the candidate for the claim with an index, from a search for that claim alone.
func (c Candidate) of(claim int) Candidate { c.Claim = claim; return c }

// cutShort removes the outcome of the last step, in which a handler fails.
func (c *Candidate) cutShort() { c.Nodes, c.InFlight = nil, c.InFlight[:len(c.InFlight)-1] }

// met is the states that a search met, for the taker of runs.
type met struct{ x *explorer }

func (m met) Stored(key fingerprint.Print) fingerprint.Print { return m.x.set.Stored(key) }

func (m met) Roots() []fingerprint.Print { return m.x.roots }

func (m met) Parents(of fingerprint.Print) []fingerprint.Print {
	note, ok, err := m.x.set.NoteOf(of)
	must(err)
	if !ok {
		return nil
	}
	return m.x.notes.parents(note)
}
