package console

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"contend/checker"
)

// A Progress writes the progress of checks into a file, one JSON object a line: at the start of a search, at most
// ten times a second while it runs, for each violation, and at its end. A nil Progress writes nothing.
type Progress struct {
	mu    sync.Mutex // a check that was given up may still tell
	file  *os.File
	every time.Duration
	last  time.Time
	begun *checker.Row // the search that was told of last
	err   error        // the first
}

// NewProgress creates the file, or truncates it.
func NewProgress(path string) (*Progress, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	return &Progress{file: file, every: redrawn}, err
}

// An about identifies the search of a line.
type about struct {
	Schema   int    `json:"schema"`
	Kind     string `json:"kind"` // progress, violation, or end
	Protocol string `json:"protocol"`
	Variant  string `json:"variant"`
	Time     string `json:"time"`
	Strategy string `json:"strategy"`
	Command  string `json:"command"`
}

// A comesTo is the progress of a search. With sampled schedules it counts only steps and schedules.
type comesTo struct {
	Seconds     float64 `json:"seconds"`
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Depth       int     `json:"depth"`
	Schedules   int64   `json:"schedules,omitempty"`
}

type progressLine struct {
	about
	comesTo
	Frontier int64   `json:"frontier"` // states of the layer that is being expanded
	Rate     float64 `json:"rate"`     // states a second, since the beginning; steps, when sampled
	Bytes    int64   `json:"bytes"`
	Growth   float64 `json:"growth,omitempty"`   // of the last layer over the one before
	Estimate int64   `json:"estimate,omitempty"` // of states in all, once layers shrink
	Planned  int64   `json:"planned,omitempty"`  // schedules to do; none where only the time limits them
	// Minimizing, unless 0, is the number of steps of a sampled run that is being made smaller. The other counts
	// do not include this work.
	Minimizing int `json:"minimizing,omitempty"`
}

type endLine struct {
	about
	comesTo
	Verdict  checker.Verdict `json:"verdict"`
	Complete bool            `json:"complete"`
	Limit    string          `json:"limit"`
}

type violationLine struct {
	about
	Claim string `json:"claim"`
	Text  string `json:"text"`
	Steps int    `json:"steps"`
	Trace string `json:"trace"`
}

// Violated writes a violation whose row is not complete yet.
func (p *Progress) Violated(row *checker.Row, c checker.ClaimResult) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(violationLine{aboutOf("violation", row), c.Name, c.Text, c.Steps, c.Trace})
}

// Update writes the progress of a check.
func (p *Progress) Update(of checker.Progress) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.begun == of.Row && now.Sub(p.last) < p.every {
		return
	}
	p.begun, p.last = of.Row, now
	l := progressLine{about: aboutOf("progress", of.Row), Frontier: of.Frontier, Bytes: of.MemoryBytes, Growth: of.Growth, Estimate: of.Estimate,
		Planned: of.Planned, comesTo: comesTo{of.Elapsed.Seconds(), of.Distinct, of.Generated, of.Depth, of.Schedules}}
	if of.Minimizing != nil {
		l.Minimizing = of.Minimizing.Steps
	}
	counted := of.Distinct
	if of.Sampled {
		counted = of.Generated
	}
	l.Rate = float64(counted) / max(of.Elapsed.Seconds(), 1e-3)
	p.write(l)
}

// End writes a complete row.
func (p *Progress) End(row *checker.Row) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(endLine{aboutOf("end", row), comesTo{row.Seconds, row.States, row.Transitions, row.Depth, row.Schedules}, row.Verdict, row.Complete, row.Limit.String()})
}

func aboutOf(kind string, row *checker.Row) about {
	return about{1, kind, row.Protocol, row.Variant, row.Time, row.Strategy, row.Command}
}

func (p *Progress) write(line any) {
	if p.err != nil {
		return
	}
	p.err = json.NewEncoder(p.file).Encode(line)
}

// Close closes the file, and returns the first error of writing.
func (p *Progress) Close() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.file.Close(); p.err == nil {
		p.err = err
	}
	if p.err != nil {
		return fmt.Errorf("--progress-file: %w", p.err)
	}
	return nil
}
