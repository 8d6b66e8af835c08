// Package mutate is mutation testing: it makes small edits of a program, one at a time, and finds
// those that nothing notices. An edit that nothing notices is a claim or a test that is missing, or it
// makes no difference.
//
// [Claims] holds the edits of a protocol's handlers against the rows that the protocol lists: the same search that
// verify check makes. [Tests] holds the edits of a package against tests, and is how the checker is tested itself.
//
// All edits of a package are compiled once: see [contend/checker/mutate/schemata]. The program
// then says which of them each row, or test, reaches; an edit is tried only with those that reach it, the
// quickest first, or the most promising, until one notices. The cost is about that of the rows or tests for each edit that survives, and
// much less for one that does not.
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

// An Outcome is what became of a mutant.
type Outcome string

// The outcomes. One that ends at a limit was noticed, in so far as the original does not, but by no claim.
const (
	Caught    Outcome = "caught"
	Limit     Outcome = "limit"     // only a limit was hit that the original does not hit
	Survived  Outcome = "survived"  // nothing notices
	Unreached Outcome = "unreached" // nothing reaches it, in a function of which other parts are reached
	Unused    Outcome = "unused"    // nothing reaches the function
	Accepted  Outcome = "accepted"  // it survives, and why that is right is written down
	Untried   Outcome = "untried"   // it is not in the sample, or the time was over
)

// How a mutant was caught.
const (
	ByClaim   = "claim"   // a claim is violated that was not
	ByFailure = "failure" // a handler fails, or the system is refused
	ByFinding = "finding" // a recorded finding is not found any more
	ByTest    = "test"    // a test fails
	ByTime    = "timeout" // it takes many times as long
)

// A Tried is a mutant with what became of it.
type Tried struct {
	*schemata.Mutant
	Outcome Outcome
	How     string // one of ByClaim and so on, of those that are caught
	By      string // the claim or the test; of those at a limit the limit
	Where   string // the row or the package of the test
	Steps   int    // of the counterexample
	Differs string // of a survivor: the check, if any, in which it changes the number of states or of steps
	Reason  string // why it is accepted
}

// Options bound a run.
type Options struct {
	Dir       string        // the directory from which the patterns are read; "": the current one
	Patterns  []string      // the packages, as the go command names them
	Tests     []string      // for [Tests]: the packages whose tests are run; none: those of Patterns
	Run       string        // for [Tests]: a regular expression for the names of tests; "": all
	Full      bool          // for [Tests]: tests are run without -short
	Most      time.Duration // for [Tests]: a test that takes longer is left out; 0: none
	Budget    time.Duration // for [Claims]: what a row of the original may take; one that takes more is left out
	Timeout   time.Duration // for all; 0: no limit
	Only      []string      // names of mutants, or of functions: no others are tried; none: all
	Sample    int           // how many mutants are tried; 0: all
	Seed      uint64        // of the sample
	Workers   int           // how many mutants are tried side by side; 0: 1
	Memory    int64         // bytes that each may take; 0: 2 GiB
	Progress  func(Progress)
	Interrupt <-chan struct{}
}

// Progress is how far a run has come.
type Progress struct {
	What          string // what is being done
	Done, Planned int
	Survivors     int
	Elapsed       time.Duration
}

// A Report is what a run came to.
type Report struct {
	Packages []string
	Rows     []Row    // of [Claims]: against which they were held
	Notes    []string // what was left out
	Mutants  []*Tried // in the order of the source
	Stale    []Stale  // of what is accepted
	Seconds  float64
	Stopped  bool // by the timeout or an interrupt
}

// A Row is a check, or a test, against which mutants are held.
type Row struct {
	Name    string  `json:"name"`
	Bounds  string  `json:"bounds"` // the command
	States  int64   `json:"states"`
	Seconds float64 `json:"seconds"`
	Reaches int     `json:"reaches"` // mutants
}

// Count counts the mutants of an outcome.
func (r *Report) Count(o Outcome) (n int) {
	for _, m := range r.Mutants {
		if m.Outcome == o {
			n++
		}
	}
	return n
}

// Survivors are the mutants that nothing notices, the most telling first: of those of one rank the ones
// that change the state space.
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

// bench is one run.
type bench struct {
	opt      Options
	ctx      context.Context
	dir      string // its temporary directory
	start    time.Time
	sources  []*schemata.Source
	packages []*schemata.Instrumented
	accepted map[string][]entry // by directory of the package
	report   *Report
}

// begin loads and instruments the packages. The caller calls close in the end.
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
	b.tell("reading packages", 0, 0)
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

// tell tells of progress.
func (b *bench) tell(what string, done, planned int) {
	if b.opt.Progress != nil {
		b.opt.Progress(Progress{What: what, Done: done, Planned: planned,
			Survivors: b.report.Count(Survived), Elapsed: time.Since(b.start)})
	}
}

// mark marks what nothing reaches. reached has the numbers of what is; when the time was over before
// that, nothing is known.
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

// planned are the mutants to try: those asked for that are reached, or a sample of them.
func (b *bench) planned() (all []*Tried) {
	for _, m := range b.report.Mutants {
		if m.Outcome == Untried && (len(b.opt.Only) == 0 || slices.Contains(b.opt.Only, m.Name) || slices.Contains(b.opt.Only, m.Func)) {
			all = append(all, m)
		}
	}
	if b.opt.Sample > 0 || b.opt.Timeout > 0 { // those that time is left for are a sample, too
		r := rand.New(rand.NewPCG(b.opt.Seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	if n := b.opt.Sample; n > 0 {
		all = all[:min(n, len(all))]
	}
	return all
}

// tryAll tries mutants side by side.
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
			b.tell("trying mutants", ended, len(all))
		}
	}
	close(todo)
}

// end closes the report.
func (b *bench) end() *Report {
	b.report.Stopped = b.ctx.Err() != nil
	b.report.Seconds = time.Since(b.start).Seconds()
	b.accept()
	return b.report
}
