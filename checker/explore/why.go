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
	place := w.Place()
	t, err := walk.Turn(len(place), first.Claim, mostAvoiding, r.Context().Done(), func(step int) (*walk.Walk, error) { return s.walks.at(place[:step]) })
	if err != nil {
		return nil, err
	}
	out.Turning, out.Avoids, out.Other = t.String(), t.Avoidable >= 0, t.Other.String()
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
	return notNil(why.Explain(run).Sentences), nil
}

// mostAvoiding is how many steps are tried for another way on.
const mostAvoiding = 20_000
