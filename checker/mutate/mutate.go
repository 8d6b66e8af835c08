// Package mutate is mutation testing. It makes small edits of a program, one at a time, and finds those that
// no claim or test notices. Such an edit shows that a claim or test is missing, or it is equivalent.
//
// [Claims] tries the edits of a protocol's handlers against the rows that the protocol lists, by the search
// of verify check. [Rows] also compares the rows by the edits that they catch, and proposes rows. [Tests] tries the edits of a package against tests; the checker itself is tested this way.
//
// All edits of a package are compiled once: see [contend/checker/mutate/schemata]. The program records the
// edits that each row or test reaches. An edit is tried only with those that reach it, the most promising
// first, until one notices. A surviving edit costs about as much as all its rows or tests, a caught one much
// less.
package mutate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"contend/checker/mutate/schemata"
)

// An Outcome is the result of a mutant.
type Outcome string

// Outcomes. A mutant at a limit differs from the original, but violates no claim.
const (
	Caught    Outcome = "caught"
	Limit     Outcome = "limit"     // it hits a limit that the original does not hit
	Survived  Outcome = "survived"  // no claim or test notices it
	Unreached Outcome = "unreached" // nothing reaches it, but something reaches its function
	Unused    Outcome = "unused"    // nothing reaches its function
	Accepted  Outcome = "accepted"  // it survives, and the accepted file has the reason
	Untried   Outcome = "untried"   // not in the sample, or the time was over
)

// How a mutant was caught.
const (
	ByClaim   = "claim"   // a claim is violated that was not
	ByFailure = "failure" // a handler fails, or the system is refused
	ByFinding = "finding" // a recorded finding is not found
	ByTest    = "test"    // a test fails
	ByTime    = "timeout" // it takes many times as long, or too much memory
)

// A Tried is a mutant with its outcome.
type Tried struct {
	*schemata.Mutant
	Outcome Outcome
	How     string // for Caught: one of ByClaim and so on
	By      string // claim, test or limit
	Where   string // row, or package of the test
	Steps   int    // of the counterexample
	Differs string // of a survivor: first check whose number of states or steps changes; "" if none
	Reason  string // of Accepted

	killers map[*baseline]bool // for [Rows]: the rows that catch it
}

// Options configure a run.
type Options struct {
	Dir       string        // directory for patterns; "" is the current one
	Patterns  []string      // packages, as for the go command
	Tests     []string      // for [Tests]: packages whose tests are run; default Patterns
	Run       string        // for [Tests]: regular expression of test names; "" is all
	Full      bool          // for [Tests]: run without -short
	Most      time.Duration // for [Tests]: maximum time of a test; longer ones are omitted; 0 is no limit
	Budget    time.Duration // for [Claims]: maximum time of a row of the original; longer ones are omitted
	Deep      bool          // for [Claims]: try the protocols' Deep checks, too
	Propose   int           // for [Rows]: maximum number of candidates for a proposed row
	Timeout   time.Duration // total; 0 is no limit
	Only      []string      // names of mutants or functions to try; default all
	Sample    int           // number of mutants to try; 0 is all
	Seed      uint64        // of the sample
	Workers   int           // number of concurrent mutants; 0 is 1
	Memory    int64         // bytes for each mutant; 0 is 2 GiB
	Progress  func(Progress)
	Interrupt <-chan struct{}
}

// Progress is the progress of a run.
type Progress struct {
	What          string // present activity
	Done, Planned int
	Survivors     int
	Elapsed       time.Duration
}

// A Report is the result of a run.
type Report struct {
	Packages []string
	Rows     []Row     // rows or tests
	Notes    []string  // omitted rows and tests
	Mutants  []*Tried  // in source order
	Choices  []*Choice // for [Rows]: the rows, then the proposed rows
	Stale    []Stale   // stale accepted entries
	Seconds  float64
	Stopped  bool // by the timeout or an interrupt
}

// A Row is a check or a test against which mutants are tried.
type Row struct {
	Name    string  `json:"name"`
	Bounds  string  `json:"bounds"` // command line
	States  int64   `json:"states"`
	Seconds float64 `json:"seconds"`
	Reaches int     `json:"reaches"` // number of mutants
}

// Count returns the number of mutants with an outcome.
func (r *Report) Count(o Outcome) (n int) {
	for _, m := range r.Mutants {
		if m.Outcome == o {
			n++
		}
	}
	return n
}

// Survivors returns the mutants that nothing notices, by rank. Mutants that change the state space come
// first.
func (r *Report) Survivors() (all []*Tried) {
	for _, m := range r.Mutants {
		if m.Outcome == Survived || m.Outcome == Unreached {
			all = append(all, m)
		}
	}
	interest := func(m *Tried) int {
		if m.Differs != "" || m.Outcome == Unreached || len(r.Rows) > 0 && r.Rows[0].States == 0 {
			return m.Rank()
		}
		return 100 + m.Rank()
	}
	slices.SortStableFunc(all, func(a, b *Tried) int { return interest(a) - interest(b) })
	return all
}

// A bench is one run.
type bench struct {
	opt      Options
	ctx      context.Context
	dir      string // temporary directory
	start    time.Time
	sources  []*schemata.Source
	packages []*schemata.Instrumented
	accepted map[string][]entry // by directory of the package
	violated map[string]bool    // by variant and claim: the report notes a candidate that violates it
	report   *Report
}

// begin loads and instruments the packages. The caller must call close.
func begin(opt Options, scope schemata.Scope) (b *bench, close func(), err error) {
	b = &bench{opt: opt, start: time.Now(), report: &Report{}}
	b.opt.Workers, b.opt.Memory = max(opt.Workers, 1), max(opt.Memory, 0)
	if b.opt.Memory == 0 {
		b.opt.Memory = 2 << 30
	}
	ctx, cancel := context.WithCancel(context.Background())
	if opt.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, opt.Timeout)
	}
	if opt.Interrupt != nil {
		go func() {
			select {
			case <-opt.Interrupt:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	b.ctx = ctx
	if b.dir, err = os.MkdirTemp("", "contend-mutate-"); err != nil {
		cancel()
		return nil, nil, err
	}
	close = func() { cancel(); os.RemoveAll(b.dir) }
	if err := b.load(scope); err != nil {
		close()
		return nil, nil, err
	}
	return b, close, nil
}

func (b *bench) load(scope schemata.Scope) (err error) {
	b.progress("reading packages", 0, 0)
	if b.sources, err = schemata.Load(b.opt.Dir, b.opt.Patterns...); err != nil {
		return err
	}
	next := 1
	b.accepted = map[string][]entry{}
	for _, p := range b.sources {
		if b.accepted[p.Dir], err = readAccepted(filepath.Join(p.Dir, AcceptedFile)); err != nil {
			return err
		}
		in, err := schemata.Instrument(p, scope, next)
		if err != nil {
			return fmt.Errorf("package %s: %w", p.Path, err)
		}
		if len(in.Mutants) == 0 {
			continue
		}
		next += len(in.Mutants)
		b.packages = append(b.packages, in)
		b.report.Packages = append(b.report.Packages, p.Path)
		for _, m := range in.Mutants {
			b.report.Mutants = append(b.report.Mutants, &Tried{Mutant: m, Outcome: Untried})
		}
	}
	return nil
}

// progress reports progress.
func (b *bench) progress(what string, done, planned int) {
	if b.opt.Progress != nil {
		b.opt.Progress(Progress{What: what, Done: done, Planned: planned,
			Survivors: b.report.Count(Survived), Elapsed: time.Since(b.start)})
	}
}

// mark sets the outcome of unreached mutants. Reached has the numbers of the reached ones. It does nothing if
// the time was over: then reached is incomplete.
func (b *bench) mark(reached map[int]bool) {
	if b.ctx.Err() != nil {
		return
	}
	used := map[string]bool{}
	for _, m := range b.report.Mutants {
		used[m.File+m.Func] = used[m.File+m.Func] || reached[m.Number]
	}
	for _, m := range b.report.Mutants {
		switch {
		case reached[m.Number]:
		case used[m.File+m.Func]:
			m.Outcome = Unreached
		default:
			m.Outcome = Unused
		}
	}
}

// planned returns the mutants to try: the selected reached ones, or a sample of these.
func (b *bench) planned() (all []*Tried) {
	for _, m := range b.report.Mutants {
		if m.Outcome == Untried && b.selected(m) {
			all = append(all, m)
		}
	}
	if b.opt.Sample > 0 || b.opt.Timeout > 0 { // with a timeout the tried ones are a sample, too
		r := rand.New(rand.NewPCG(b.opt.Seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	if n := b.opt.Sample; n > 0 {
		all = all[:min(n, len(all))]
	}
	return all
}

// selected reports whether a mutant is to be tried.
func (b *bench) selected(m *Tried) bool {
	return len(b.opt.Only) == 0 || slices.Contains(b.opt.Only, m.Name) || slices.Contains(b.opt.Only, m.Func)
}

// tryAll tries mutants concurrently.
func (b *bench) tryAll(all []*Tried, try func(worker int, m *Tried)) {
	todo, done := make(chan *Tried), make(chan struct{})
	for w := range b.opt.Workers {
		go func() {
			for m := range todo {
				try(w, m)
				done <- struct{}{}
			}
		}()
	}
	sent, ended := 0, 0
	for ended < len(all) {
		out, next := todo, (*Tried)(nil)
		if sent == len(all) || b.ctx.Err() != nil {
			if out = nil; ended == sent {
				break
			}
		} else {
			next = all[sent]
		}
		select {
		case out <- next:
			sent++
		case <-done:
			ended++
			b.progress("trying mutants", ended, len(all))
		}
	}
	close(todo)
}

// end completes the report.
func (b *bench) end() *Report {
	b.report.Stopped = b.ctx.Err() != nil
	b.report.Seconds = time.Since(b.start).Seconds()
	b.accept()
	return b.report
}
