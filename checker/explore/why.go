package explore

import (
	"fmt"
	"net/http"

	"contend/checker/explain"
	"contend/traces/walk"
)

// A reason explains the first violation of a run.
type reason struct {
	Claim   string   `json:"claim"`
	Text    string   `json:"text"`
	Step    int      `json:"step"`    // step of the violation
	Turning string   `json:"turning"` // step that made the violation inevitable
	Avoids  bool     `json:"avoids"`  // whether a run is known that avoids the violation,
	Other   string   `json:"other"`   // and that run's place
	Because []string `json:"because"`
}

// explain handles a request to explain the first violation on the way to a place. The response
// has the step that made it inevitable.
func (s *Server) explain(r *http.Request) (any, error) {
	var in placeRequest
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
	if w, err = s.walks.get(w.Place()[:first.Step]); err != nil {
		return nil, err
	}
	out := reason{Claim: first.Claim, Text: first.Text, Step: first.Step}
	if out.Because, err = s.explanation(w); err != nil {
		return nil, err
	}
	place := w.Place()
	t, err := walk.Turn(len(place), first.Claim, mostAvoiding, r.Context().Done(), func(step int) (*walk.Walk, error) { return s.walks.get(place[:step]) })
	if err != nil {
		return nil, err
	}
	out.Turning, out.Avoids, out.Other = t.String(), t.Avoidable >= 0, t.Other.String()
	return out, nil
}

// explanation returns the sentences that explain the violation at the end of a walk.
func (s *Server) explanation(w *walk.Walk) ([]string, error) {
	t, err := w.Trace()
	if err != nil {
		return nil, err
	}
	because, err := explain.New(s.Protocol, t).Why()
	if err != nil {
		return nil, err
	}
	return notNil(because.Sentences), nil
}

// mostAvoiding is the maximum number of steps in the search for a run that avoids the violation.
const mostAvoiding = 20_000
