package explore

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"contend/checker"
	"contend/model"
)

// A searchRequest is a request for an exhaustive search, with a time limit.
type searchRequest struct {
	Seconds int `json:"seconds"`
}

// mostSeconds is the maximum time limit.
const mostSeconds = 3600

// A searchProgress is the progress of a search.
type searchProgress struct {
	Claims      string  `json:"claims"` // claim, or number of claims
	Widths      []int64 `json:"widths"`
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Seconds     float64 `json:"seconds"`
	Memory      int64   `json:"memory"` // bytes
	Estimate    int64   `json:"estimate"`
}

// A searchResult is the result of a search.
type searchResult struct {
	Rows  []row  `json:"rows"`
	Error string `json:"error,omitempty"`
}

// A row is one search with its verdicts.
type row struct {
	States   int64    `json:"states"`
	Depth    int      `json:"depth"`
	Seconds  float64  `json:"seconds"`
	Complete bool     `json:"complete"`
	Limit    string   `json:"limit"`
	Bounds   string   `json:"bounds"` // cuts that were reached
	Widths   []int64  `json:"widths"` // states of each layer
	Claims   []result `json:"claims"`
}

// A result is a verdict, with the place at the end of its counterexample.
type result struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"`
	Found   bool   `json:"found"`
	Place   string `json:"place"`
}

// search searches the configuration exhaustively, and streams its progress. It ends with the request.
func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	var in searchRequest
	err := read(r, &in)
	if err == nil && (in.Seconds < 1 || in.Seconds > mostSeconds) {
		err = fmt.Errorf("seconds is %d, but must be 1 to %d", in.Seconds, mostSeconds)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	s.exclusive(w, r, func(tell *stream, stop context.Context) any {
		widths := map[*checker.Row][]int64{}
		rows, err := checker.Check(s.Protocol, s.Check, checker.Options{
			Timeout: time.Duration(in.Seconds) * time.Second, MaxMemory: seekMemory, Interrupt: stop.Done(),
			Progress: func(p checker.Progress) {
				widths[p.Row] = p.Widths
				tell.progress(searchProgress{claimsText(p.Claims), notNil(p.Widths), p.Distinct, p.Generated, p.Elapsed.Seconds(), p.MemoryBytes, p.Estimate})
			},
		})
		if err != nil {
			return searchResult{Error: model.Printable(err.Error())}
		}
		return s.searchResult(rows, widths)
	})
}

// claimsText returns the name of a single claim, or the number of claims.
func claimsText(claims []string) string {
	if len(claims) == 1 {
		return claims[0]
	}
	return fmt.Sprintf("%d claims", len(claims))
}

// searchResult returns the rows of a search, with the widths of their layers.
func (s *Server) searchResult(rows []*checker.Row, widths map[*checker.Row][]int64) searchResult {
	out := searchResult{Rows: []row{}}
	for _, r := range rows {
		to := row{States: r.States, Depth: r.Depth, Seconds: r.Seconds, Complete: r.Complete, Limit: r.Limit.String(), Bounds: cut(r), Widths: notNil(widths[r])}
		for _, c := range r.Claims {
			to.Claims = append(to.Claims, s.result(c))
		}
		out.Rows = append(out.Rows, to)
	}
	return out
}

// result returns a claim's verdict. A counterexample of another configuration, from a search apart, has no
// place here.
func (s *Server) result(c checker.ClaimResult) result {
	out := result{Name: c.Name, Verdict: string(c.Verdict), Text: c.Text}
	if !c.Limit.None() {
		out.Verdict += ", limit " + c.Limit.String()
	}
	if c.Finding != "" {
		out.Verdict += " (finding)"
	}
	if c.Counterexample == nil || s.compareConfiguration(c.Counterexample) != nil {
		return out
	}
	if w, err := s.walkTrace(c.Counterexample); err == nil {
		out.Found, out.Place = true, w.Place().String()
	}
	return out
}
