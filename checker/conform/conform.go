// Package conform decides whether logs of an implementation show a run of a protocol. It reads JSON Lines,
// searches for a run that explains every entry, and judges the protocol's claims on that run.
//
//   - conform.go: the check
//   - source.go, entry.go: reading of logs
//   - memo.go: what was parsed before
//   - decode.go, pattern.go: values of entries, and their comparison with values of the protocol
//   - views.go: fields that only logs have
//   - position.go: how far a run explains the logs
//   - plan.go: the possible next steps of a node
//   - take.go: one step, and the entries that it explains
//   - search.go: the search, without branches where none are needed
//   - stream.go: the check of logs that grow
//   - arrivals.go: what the rest of the logs sends and receives
//   - report.go: the reasons that no run explains an entry
//   - judge.go: the explained run as a trace, and its claims
//   - write.go: the log of a run
//   - testing.go, follow.go: the check under go test, of complete logs and of those of a running service
//
// docs/proofs/conform.md proves that the search is complete.
package conform

import (
	"errors"
	"fmt"
	"time"

	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// Options has the options of a check.
type Options struct {
	// Ignore has the names of fields of entries that are not read.
	Ignore []string
	// Silent has the kinds of fields that no entry has: receive, alarm, call, result, send or note. A check of complete
	// logs finds them itself.
	Silent []string
	// Map, unless nil, returns the entries that a line of a log stands for, as JSON. It is called for each line, in order.
	Map func(line []byte) ([][]byte, error)
	// Unbuffered reports that no entries are missing before a crash or restart, besides those of the node's last
	// step: each entry is written before anything depends on what it shows.
	Unbuffered bool
	// OpenEnded reports that entries may be missing at the end of each node's log.
	OpenEnded bool
	// MaxStates is the largest number of states that the search compares; 0 means 200,000.
	MaxStates int
	// Timeout is the time for the search; 0 means no bound.
	Timeout time.Duration
	// Stop, unless nil, ends the search when it is closed.
	Stop <-chan struct{}
	// Taken, unless nil, is called with each step of the run that the result is about, and the messages that it sends, in
	// order. The values must not be changed or stored.
	Taken func(r world.Record, sent []Sent)
	// Claims has the claims that may be judged, with their monitors; nil means none.
	Claims []model.Claim
}

// A Verdict is the result of the search.
type Verdict string

// The verdicts.
const (
	Explained    Verdict = "explained"
	NotExplained Verdict = "not explained"
	Inconclusive Verdict = "inconclusive"
)

// A Result is the result of a check.
type Result struct {
	Verdict Verdict
	// Limit is the limit that ended an inconclusive search.
	Limit string
	// Entries is the number of entries of the logs. Prefix is the number that the longest run found explains. Such a
	// run takes the step of an entry that shows something else, so that other nodes go on.
	Entries, Prefix int
	// Steps is the number of steps of that run. States is the number of states that were compared.
	Steps, States int
	// Config is the configuration, with the budgets of faults that the logs need.
	Config model.Config
	// Stuck has the first unexplained entry of each node, unless the logs are explained.
	Stuck []Stuck
	// Trace is the run that explains the logs or their prefix. It is nil if the format does not permit it; then
	// Untraced is the reason.
	Trace    *traces.Trace
	Untraced string
	// Violations has the violations of claims in that run.
	Violations []world.Violation
	// Judged has the names of the claims that were judged.
	Judged []string
}

// Violated reports whether a claim is violated in an explained run.
func (r *Result) Violated() bool { return r.Verdict == Explained && len(r.Violations) > 0 }

// A Stuck is the first entry of a node that the longest run found does not explain.
type Stuck struct {
	Node string
	// File and Line are the place of the entry. Line is 0 at the end of the node's log.
	File string
	Line int
	// Entry is the entry as text.
	Entry string
	// Waits reports that the entry might be explained if other nodes went on.
	Waits bool
	// Reason is a sentence on the difference between the log and the page.
	Reason string
	// Field is the name of the field that differs from the nearest possibility, or "".
	Field string
	// Instead has what the page shows there.
	Instead []string

	half bool // the step of the entry is taken, and shows something else
}

// errStopped is the error of a search that its caller stopped.
var errStopped = errors.New("interrupted")

// Validate checks logs against a variant of a protocol. The error is about bad input, in one sentence.
func Validate(p *model.Protocol, variant string, c model.Config, opt Options, logs ...Source) (*Result, error) {
	s, err := systemOf(p, variant, c)
	if err != nil {
		return nil, err
	}
	all, err := read(s, opt, logs)
	if err != nil {
		return nil, err
	}
	if c, err = all.budgets(p.Filled(c)); err != nil {
		return nil, err
	}
	if s, err = p.System(variant, c); err != nil {
		return nil, err
	}
	g, err := newSearch(s, p.Unlogged, all, opt)
	if err != nil {
		return nil, err
	}
	r := &Result{Config: c, Entries: all.count}
	best, err := g.run(r)
	if err != nil {
		return nil, err
	}
	if r.Verdict != Explained {
		r.Stuck = g.report(best)
	}
	r.Prefix, r.Steps, r.States = best.used, best.steps, g.states
	v, _ := p.Variant(variant)
	court, err := g.newCourt(v, best)
	if err != nil {
		return nil, err
	}
	if err := court.judge(r, best); err != nil {
		return nil, err
	}
	return r, court.trace(r, p, variant)
}

// systemOf returns the system of a variant, whose logs can be checked.
func systemOf(p *model.Protocol, variant string, c model.Config) (*model.System, error) {
	s, err := p.System(variant, c)
	if err != nil {
		return nil, err
	}
	if s.Informs() != nil {
		return nil, fmt.Errorf("protocol %s has a failure detector, and logs have no entries for its reports", p.Name)
	}
	return s, nil
}
