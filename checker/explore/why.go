package explore

import (
	"fmt"
	"net/http"

	"contend/traces/replay"
	"contend/traces/walk"
	"contend/traces/why"
)

// reason says why the first claim that a run breaks is broken.
type reason struct {
	Claim   string   `json:"claim"`
	Text    string   `json:"text"`
	Step    int      `json:"step"`    // that broke it
	Turning string   `json:"turning"` // which step made that inevitable
	Avoids  bool     `json:"avoids"`  // a run is known that does not break it,
	Other   string   `json:"other"`   // and ends at this place
	Because []string `json:"because"`
}

// why says why the first claim that is broken at a place is: first which step made that inevitable.
func (s *Server) why(r *http.Request) (any, error) {
	var in placed
	if err := read(r, &in); err != nil {
		return nil, err
	}
	w, err := s.walk(in.Place)
	if err != nil {
		return nil, err
	}
	broken := w.Run().World.Violations
	if len(broken) == 0 {
		return nil, fmt.Errorf("place breaks no claim, and there is nothing to explain")
	}
	first := broken[0]
	if w, err = s.walks.at(w.Place()[:first.Step]); err != nil {
		return nil, err
	}
	out := reason{Claim: first.Claim, Text: first.Text, Step: first.Step}
	if out.Because, err = s.because(w); err != nil {
		return nil, err
	}
	t, err := s.turning(w.Place(), first.Claim, r.Context().Done())
	if err != nil {
		return nil, err
	}
	out.Turning, out.Avoids, out.Other = t.String(), t.avoidable >= 0, t.other.String()
	return out, nil
}

// because are the sentences that explain the violation at the end of a walk.
func (s *Server) because(w *walk.Walk) ([]string, error) {
	t, err := w.Trace()
	if err != nil {
		return nil, err
	}
	run, err := replay.Replay(s.Protocol, t, s.claims)
	if err != nil {
		return nil, err
	}
	return notNil(why.Of(run).Sentences), nil
}

// turning is where in a run the violation of its last step becomes inevitable.
type turning struct {
	avoidable  int        // the last step after which it is known that it could be avoided; -1 if there is none
	inevitable int        // the first step after which it is known that it could not
	other      walk.Place // the end of a run that avoids it
}

// mostAvoiding is how many steps are tried for another way on.
const mostAvoiding = 20_000

// turning goes back from the violation at a place to where it could be avoided.
func (s *Server) turning(place walk.Place, claim string, stop <-chan struct{}) (turning, error) {
	t := turning{avoidable: -1, inevitable: len(place)}
	looking := walk.NewAvoiding(claim, mostAvoiding, stop)
	for step := len(place) - 1; step >= 0; step-- {
		w, err := s.walks.at(place[:step])
		if err != nil {
			return t, err
		}
		switch outlook, other := looking.From(w); outlook {
		case walk.Avoidable:
			t.avoidable, t.other = step, other
			return t, nil
		case walk.Inevitable:
			t.inevitable = step
		}
	}
	return t, nil
}

// String says it in one or two sentences.
func (t turning) String() string {
	onward := fmt.Sprintf("After step %d the run could still go on without breaking the claim.", t.avoidable)
	switch {
	case t.avoidable < 0 && t.inevitable == 0:
		return "It is inevitable from the beginning: unless a fault prevents it, every run breaks the claim."
	case t.avoidable < 0:
		return fmt.Sprintf("Step %d made it inevitable at the latest: no run that avoids it was found before, but not all were tried.", t.inevitable)
	case t.avoidable+1 < t.inevitable:
		return fmt.Sprintf("One of the steps %d to %d made it inevitable. %s", t.avoidable+1, t.inevitable, onward)
	}
	return fmt.Sprintf("Step %d made it inevitable. %s", t.inevitable, onward)
}
