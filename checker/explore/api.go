package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"contend/model"
	"contend/traces/walk"
)

// A call answers a request: with something to be written as JSON, or with an error that is a sentence.
type call func(r *http.Request) (any, error)

// mostAtOnce is how many requests take steps at a time. One whose handler does not return cannot be stopped, and keeps its place.
const mostAtOnce = 4

// patience is how long a request may wait for its turn and take steps. Handlers take microseconds. Tests make it shorter.
var patience = time.Minute

// bad is bad input. Its code is that of the answer.
type bad struct {
	code int
	text string
}

func (b bad) Error() string { return b.text }

// answers makes a call answer requests.
func (s *Server) answers(do call) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := s.patiently(r, do)
		if err != nil {
			refuse(w, err)
			return
		}
		reply(w, http.StatusOK, answer)
	})
}

// refuse writes an error.
func refuse(w http.ResponseWriter, err error) {
	var no bad
	if !errors.As(err, &no) {
		no = bad{http.StatusBadRequest, model.Printable(err.Error())}
	}
	reply(w, no.code, map[string]string{"error": no.text})
}

// reply writes an answer, for which there is as much time as for any other, however long it took to come to it. That nobody reads it is no
// matter.
func reply(w http.ResponseWriter, code int, answer any) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writing))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

// patiently makes a call, and waits for it so long and no longer.
func (s *Server) patiently(r *http.Request, do call) (any, error) {
	late := bad{http.StatusServiceUnavailable, fmt.Sprintf("the step has not come to its end within %v: a handler may not return", patience)}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case s.steps <- struct{}{}:
	case <-timer.C:
		return nil, late
	}
	type outcome struct {
		answer any
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-s.steps }()
		defer func() {
			if p := recover(); p != nil {
				done <- outcome{err: bad{http.StatusInternalServerError, fmt.Sprintf("internal error: %v", p)}}
			}
		}()
		answer, err := do(r)
		done <- outcome{answer, err}
	}()
	select {
	case out := <-done:
		return out.answer, out.err
	case <-timer.C:
		return nil, late
	}
}

// read reads the one JSON value of a request, which has no fields but those that are known.
func read(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	var large *http.MaxBytesError
	switch err := d.Decode(into); {
	case errors.As(err, &large):
		return tooLarge(large.Limit)
	case err != nil:
		return fmt.Errorf("the request is not as it must be: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the request has more than one JSON value")
	}
	return nil
}

// placed is a request that says where one is.
type placed struct {
	Place string `json:"place"`
}

// walk is a walk at a place that is given as text.
func (s *Server) walk(text string) (*walk.Walk, error) {
	place, err := walk.ParsePlace(text)
	if err != nil {
		return nil, err
	}
	return s.walks.at(place)
}

// begin says what is explored, and where the page opens.
func (s *Server) begin(r *http.Request) (any, error) {
	if err := read(r, &struct{}{}); err != nil {
		return nil, err
	}
	return s.about(), nil
}

// at says all there is to say of a place.
func (s *Server) at(r *http.Request) (any, error) {
	var in placed
	if err := read(r, &in); err != nil {
		return nil, err
	}
	w, err := s.walk(in.Place)
	if err != nil {
		return nil, err
	}
	return s.view(w)
}

// taking is a request to take a choice at a place.
type taking struct {
	placed
	Choice  string `json:"choice"`
	At      string `json:"at"` // "" for as early as may be
	Answers []int  `json:"answers"`
}

// asking says that an answer is needed besides those that were given.
type asking struct {
	Ask     string `json:"ask"`
	Of      int    `json:"of"`
	Answers []int  `json:"answers"`
}

// take takes a choice. What it comes to is a place, or a question.
func (s *Server) take(r *http.Request) (any, error) {
	var in taking
	if err := read(r, &in); err != nil {
		return nil, err
	}
	choice, err := walk.ParsePlace(in.Choice)
	if err != nil || len(choice) != 1 {
		return nil, fmt.Errorf("choice is %.40q, but must be one choice of a place, such as 3 or f2", in.Choice)
	}
	place, err := walk.ParsePlace(in.Place)
	if err != nil {
		return nil, err
	}
	if _, err := s.walks.at(place); err != nil {
		return nil, err
	}
	choice[0].At, choice[0].Answers = in.At, in.Answers
	w, err := s.walks.at(append(place, choice[0]))
	var ask *walk.Ask
	if errors.As(err, &ask) {
		return asking{ask.What, ask.Of, in.Answers}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.view(w)
}
