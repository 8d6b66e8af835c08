package oracle

import "contend/model"

// A Judgement is the result of brute force for a system.
type Judgement struct {
	Verdicts []Verdict // one for each claim
	// NoHandlerFails is the verdict on the claim that no handler fails.
	NoHandlerFails Verdict
	// States is the number of states, if a search without reductions has the same states, else 0. In real
	// time a search has classes of states. For linearizability and refinement it stores less.
	States int
}

// Judge returns the verdicts on claims that a search may return. The error is [ErrLarge], or the
// interpreter's.
//
// Runs are in real time, in both timed readings. Always, sometimes and linearizable claims are decided there;
// without strict bounds whole ticks give the same verdicts. Doomed states depend on the possible instants:
// two timers may coincide at every whole tick and at no other instant. So possible from everywhere is decided
// on whole ticks, if the grid has all of them. Endless runs and probability are decided on whole ticks only.
func Judge(s *model.System, claims []model.Claim, r model.Reading, limit int) (*Judgement, error) {
	j := judge{sys: s, reading: r, limit: limit}
	linear := false
	for _, c := range Watched(claims) {
		if c.Kind != model.AlmostSurely {
			j.claims = append(j.claims, c)
		}
		linear = linear || c.Kind == model.Linearizable || c.Kind == model.Refines
	}
	if err := j.explore(); err != nil {
		return nil, err
	}
	out := &Judgement{}
	if j.real == nil && !linear && len(j.claims) > 0 {
		out.States = len(j.plain.States)
	}
	out.NoHandlerFails = j.exact().Fails()
	for _, c := range claims {
		v, err := j.verdict(c)
		if err != nil {
			return nil, err
		}
		out.Verdicts = append(out.Verdicts, v)
	}
	return out, nil
}

// A judge has the graphs of a system.
type judge struct {
	sys     *model.System
	claims  []model.Claim
	reading model.Reading
	limit   int

	plain *Graph // untimed, or on whole ticks
	real  *Graph // in real time, if whole ticks do not suffice
}

func (j *judge) explore() (err error) {
	clock := Whole
	if j.reading == model.Untimed {
		clock = None
	}
	if j.plain, err = Explore(j.sys, j.claims, clock, j.limit); err != nil {
		return err
	}
	if j.plain.Strict || j.reading == model.Dense {
		j.real, err = Explore(j.sys, j.claims, Real, j.limit)
	}
	return err
}

// exact returns the graph of the runs in real time.
func (j *judge) exact() *Graph {
	if j.real != nil {
		return j.real
	}
	return j.plain
}

// verdict decides a claim beside the others. If a handler fails, it also decides the claim alone: another
// claim's monitor may fail and end a run, but is no part of the system. A search that watches only this claim
// may decide it.
func (j *judge) verdict(c model.Claim) (Verdict, error) {
	v, err := j.decideTogether(c)
	if v != Open || err != nil || !j.exact().Failed || len(j.claims) == 1 {
		return v, err
	}
	alone := judge{sys: j.sys, claims: []model.Claim{c}, reading: j.reading, limit: j.limit}
	if err := alone.explore(); err != nil {
		return "", err
	}
	return alone.decideTogether(c)
}

// decideTogether decides a claim on runs that end if any claim's monitor fails.
func (j *judge) decideTogether(c model.Claim) (Verdict, error) {
	switch {
	case c.Kind == model.AlmostSurely:
		return j.surely(c)
	case c.Kind == model.Eventually && !j.plain.Strict:
		return j.plain.Decide(c), nil
	}
	return j.exact().Decide(c), nil
}

// surely decides a claim of probability. Dense time has no coins.
func (j *judge) surely(c model.Claim) (Verdict, error) {
	if j.reading == model.Dense {
		return Open, nil
	}
	v, strict, err := Surely(j.sys, c, j.limit)
	if strict {
		v = Either
	}
	if err == nil && j.plain.Failed {
		v = unfailed(c, v)
	}
	return v, err
}
