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

// A call computes the JSON response to a request. Its error is one sentence.
type call func(r *http.Request) (any, error)

// maxConcurrent is the maximum number of concurrent requests that step. A handler that never returns occupies
// one for ever.
const maxConcurrent = 4

// patience is the maximum time of a request that steps, with the wait for its turn. Handlers take
// microseconds.
const patience = time.Minute

// A bad is an error with its HTTP status code.
type bad struct {
	code int
	text string
}

func (b bad) Error() string { return b.text }

// handler returns an HTTP handler for a call.
func (s *Server) handler(do call) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := s.withTimeout(r, do)
		// The limit for writing begins here, however long the call took.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.writing))
		if err != nil {
			refuse(w, err)
			return
		}
		reply(w, http.StatusOK, answer)
	})
}

// refuse writes an error response.
func refuse(w http.ResponseWriter, err error) {
	var no bad
	if !errors.As(err, &no) {
		no = bad{http.StatusBadRequest, model.Printable(err.Error())}
	}
	reply(w, no.code, map[string]string{"error": no.text})
}

// reply writes a JSON response. It ignores write errors: the page is gone.
func reply(w http.ResponseWriter, code int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

// withTimeout runs a call, for at most the server's patience.
func (s *Server) withTimeout(r *http.Request, do call) (any, error) {
	late := bad{http.StatusServiceUnavailable, fmt.Sprintf("the step has not come to its end within %v: a handler may not return", s.patience)}
	timer := time.NewTimer(s.patience)
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

// read decodes the single JSON value of a request. Unknown fields are errors.
func read(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	var large *http.MaxBytesError
	switch err := d.Decode(into); {
	case errors.As(err, &large):
		return sizeError(large.Limit)
	case err != nil:
		return fmt.Errorf("the request is not as it must be: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the request has more than one JSON value")
	}
	return nil
}

// A placeRequest is a request about a place.
type placeRequest struct {
	Place string `json:"place"`
}

// walk returns a walk at a place in text form.
func (s *Server) walk(text string) (*walk.Walk, error) {
	place, err := walk.ParsePlace(text)
	if err != nil {
		return nil, err
	}
	return s.walks.get(place)
}

// begin handles a request for the explored system.
func (s *Server) begin(r *http.Request) (any, error) {
	if err := read(r, &struct{}{}); err != nil {
		return nil, err
	}
	return s.about(), nil
}

// viewPlace handles a request for the view of a place.
func (s *Server) viewPlace(r *http.Request) (any, error) {
	var in placeRequest
	if err := read(r, &in); err != nil {
		return nil, err
	}
	w, err := s.walk(in.Place)
	if err != nil {
		return nil, err
	}
	return s.view(w)
}

// A stepRequest is a request for a choice at a place.
type stepRequest struct {
	placeRequest
	Choice  string `json:"choice"`
	At      string `json:"at"` // "" is as early as possible
	Answers []int  `json:"answers"`
}

// A question is a response that needs a further answer.
type question struct {
	Ask     string `json:"ask"`
	Count   int    `json:"of"`
	Answers []int  `json:"answers"`
}

// chooseStep handles a request for a choice. The response is a view or a question.
func (s *Server) chooseStep(r *http.Request) (any, error) {
	var in stepRequest
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
	if _, err := s.walks.get(place); err != nil {
		return nil, err
	}
	choice[0].At, choice[0].Answers = in.At, in.Answers
	w, err := s.walks.get(append(place, choice[0]))
	var ask *walk.Ask
	if errors.As(err, &ask) {
		return question{ask.What, ask.Of, in.Answers}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.view(w)
}
