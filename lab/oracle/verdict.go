package oracle

import "contend/model"

// A Judgement is what brute force says of a system.
type Judgement struct {
	Verdicts []Verdict // of the claims
	// NoHandlerFails is that of the claim that no handler fails.
	NoHandlerFails Verdict
	// States is how many there are, where a search without reductions meets the same ones; else
	// 0: in real time it has classes of them, and for a claim of linearizability or of refinement
	// less is remembered.
	States int
}

// Judge says of each claim what a search in a reading may say of it. The error is [ErrLarge],
// or what the interpreter finds wrong with the system.
//
// A run is one in real time, in both readings that keep it: so always, sometimes and
// linearizable are. On whole ticks they come out the same where no bound is strict. Which
// states are doomed, though, depends on which instants there are: two timers may meet at
// every whole tick and at no other instant. So possible from everywhere is asked of whole
// ticks too, where the grid has them all. That a run lasts for ever, and probability, are
// decided on whole ticks only.
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

// judge holds the graphs of a system.
type judge struct {
	sys     *model.System
	claims  []model.Claim
	reading model.Reading
	limit   int

	plain *Graph // untimed, or on whole ticks
	real  *Graph // in real time, where whole ticks do not do
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

// exact is the graph whose runs are those of real time.
func (j *judge) exact() *Graph {
	if j.real != nil {
		return j.real
	}
	return j.plain
}

// verdict judges a claim beside the others, and alone where a handler fails beside them. The monitor of another claim may fail
// and end a run there, but it is no part of the system: the run goes on all the same, and a search that watches this claim
// alone may decide it.
func (j *judge) verdict(c model.Claim) (Verdict, error) {
	v, err := j.beside(c)
	if v != Open || err != nil || !j.exact().Failed || len(j.claims) == 1 {
		return v, err
	}
	alone := judge{sys: j.sys, claims: []model.Claim{c}, reading: j.reading, limit: j.limit}
	if err := alone.explore(); err != nil {
		return "", err
	}
	return alone.beside(c)
}

// beside judges a claim of runs that end where the monitor of any claim fails.
func (j *judge) beside(c model.Claim) (Verdict, error) {
	switch {
	case c.Kind == model.AlmostSurely:
		return j.surely(c)
	case c.Kind == model.Eventually && !j.plain.Strict:
		return j.plain.Decide(c), nil
	}
	return j.exact().Decide(c), nil
}

// surely judges a claim of probability. Dense time tosses no coins.
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
