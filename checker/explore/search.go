package explore

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"contend/checker"
	"contend/model"
)

// searching is a request to search the same configuration exhaustively, for at most so long.
type searching struct {
	Seconds int `json:"seconds"`
}

// mostSeconds is how long a search may take.
const mostSeconds = 3600

// searched is how far a search is.
type searched struct {
	Claims      string  `json:"claims"` // the claim that is searched for, or how many
	Widths      []int64 `json:"widths"`
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Seconds     float64 `json:"seconds"`
	Memory      int64   `json:"memory"` // bytes
	Estimate    int64   `json:"estimate"`
}

// came is what came of a search.
type came struct {
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
	Bounds   string   `json:"bounds"` // what was cut
	Widths   []int64  `json:"widths"` // of the layers, in states
	Claims   []result `json:"claims"`
}

// A result is a verdict, with the place to which its counterexample leads.
type result struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"`
	Found   bool   `json:"found"`
	Place   string `json:"place"`
}

// search searches the same configuration exhaustively, and tells of it layer by layer. It ends when the
// page does.
func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	var in searching
	err := read(r, &in)
	if err == nil && (in.Seconds < 1 || in.Seconds > mostSeconds) {
		err = fmt.Errorf("seconds is %d, but must be 1 to %d", in.Seconds, mostSeconds)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	s.alone(w, r, func(tell *stream, stop context.Context) any {
		widths := map[*checker.Row][]int64{}
		rows, err := checker.Check(s.Protocol, s.Check, checker.Options{
			Timeout: time.Duration(in.Seconds) * time.Second, MaxMemory: seekMemory, Interrupt: stop.Done(),
			Progress: func(p checker.Progress) {
				widths[p.Row] = p.Widths
				tell.progress(searched{claimed(p.Claims), notNil(p.Widths), p.Distinct, p.Generated, p.Elapsed.Seconds(), p.MemoryBytes, p.Estimate})
			},
		})
		if err != nil {
			return came{Error: model.Printable(err.Error())}
		}
		return s.came(rows, widths)
	})
}

// claimed names the claim that is searched for, or counts the claims.
func claimed(claims []string) string {
	if len(claims) == 1 {
		return claims[0]
	}
	return fmt.Sprintf("%d claims", len(claims))
}

// came is what came of searches, with the widths of their layers.
func (s *Server) came(rows []*checker.Row, widths map[*checker.Row][]int64) came {
	out := came{Rows: []row{}}
	for _, r := range rows {
		to := row{States: r.States, Depth: r.Depth, Seconds: r.Seconds, Complete: r.Complete, Limit: r.Limit, Bounds: cut(r), Widths: notNil(widths[r])}
		for _, c := range r.Claims {
			to.Claims = append(to.Claims, s.result(c))
		}
		out.Rows = append(out.Rows, to)
	}
	return out
}

// result is a claim's verdict. A counterexample of a search apart may be of another configuration, and
// then leads nowhere here.
func (s *Server) result(c checker.ClaimResult) result {
	out := result{Name: c.Name, Verdict: string(c.Verdict), Text: c.Text}
	if c.Limit != "" {
		out.Verdict += ", limit " + c.Limit
	}
	if c.Finding != "" {
		out.Verdict += " (finding)"
	}
	if c.Counterexample == nil || s.same(c.Counterexample) != nil {
		return out
	}
	if w, err := s.along(c.Counterexample); err == nil {
		out.Found, out.Place = true, w.Place().String()
	}
	return out
}
