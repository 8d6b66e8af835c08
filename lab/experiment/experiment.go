// Package experiment compares sampling strategies by the number of schedules until they catch a mutant.
package experiment

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"contend/model"
)

// A Mutant is a variant with the check that catches it. The check has exactly one claim.
type Mutant struct {
	Protocol *model.Protocol
	Check    model.Check
}

// Options configure an experiment. With one worker, seconds are CPU seconds if the system measures them,
// otherwise wall time.
type Options struct {
	Strategies []string
	Seeds      int           // seeds for each strategy and mutant, ≥ 1
	Seed       uint64        // first seed
	Schedules  int           // maximum schedules for a seed
	Timeout    time.Duration // maximum time for a seed; 0 is no limit
	Workers    int           // number of concurrent seeds; 0 is one for each processor
	Interrupt  <-chan struct{}
	// Progress, unless nil, is called after each seed, concurrently.
	Progress func(m Mutant, done, total int)
}

// A Catch is the result of one strategy on one mutant. Its JSON is a stable contract.
type Catch struct {
	Schema   int     `json:"schema"`
	Kind     string  `json:"kind"` // "catch"
	Protocol string  `json:"protocol"`
	Mutant   string  `json:"mutant"`
	Claim    string  `json:"claim"`
	Time     string  `json:"time"`
	Strategy string  `json:"strategy"`
	Cap      int     `json:"cap"`
	Tries    []Try   `json:"tries"` // one for each seed
	Found    int     `json:"found"`
	Median   Bounds  `json:"median"`
	Low      *Bounds `json:"low,omitempty"`
	High     *Bounds `json:"high,omitempty"`
	Seconds  float64 `json:"seconds"` // median; a failed try counts its whole time
}

// A Try is the result of one seed.
type Try struct {
	Seed      string  `json:"seed"`
	Found     bool    `json:"found"`
	Schedules int64   `json:"schedules"` // until the violation, or all
	Seconds   float64 `json:"seconds"`   // see [Options]
	Limit     string  `json:"limit,omitempty"`
}

// bounds returns bounds on the number of schedules until the violation.
func (t Try) bounds() Bounds {
	if t.Found {
		return exactly(float64(t.Schedules))
	}
	return moreThan(float64(t.Schedules))
}

// Compare tries every strategy on a mutant. The error is about invalid input, a [watch.Endless], or a handler
// that is not deterministic.
func Compare(m Mutant, opt Options) ([]Catch, error) {
	all := make([]Try, len(opt.Strategies)*opt.Seeds)
	errs := make([]error, len(all))
	var next, done atomic.Int64
	var threads sync.WaitGroup
	for range min(opt.workers(), len(all)) {
		threads.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)); i = next.Add(1) - 1 {
				all[i], errs[i] = try(m, opt, opt.Strategies[i/int64(opt.Seeds)], opt.Seed+uint64(i)%uint64(opt.Seeds))
				if n := done.Add(1); opt.Progress != nil {
					opt.Progress(m, int(n), len(all))
				}
			}
		})
	}
	threads.Wait()
	var out []Catch
	for i, name := range opt.Strategies {
		for _, err := range errs[i*opt.Seeds : (i+1)*opt.Seeds] {
			if err != nil {
				return nil, fmt.Errorf("%s/%s: %w", m.Protocol.Name, m.Check.Variant, err)
			}
		}
		out = append(out, summarize(m, opt, name, all[i*opt.Seeds:(i+1)*opt.Seeds]))
	}
	return out, nil
}

func (opt *Options) workers() int {
	if opt.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return opt.Workers
}

// try samples with one seed and one worker.
func try(m Mutant, opt Options, strategy string, seed uint64) (Try, error) {
	seconds := stopwatch()
	first, err := firstViolation(m, strategy, seed, 1, opt)
	if opt.workers() == 1 {
		first.seconds = seconds()
	}
	t := Try{Seed: fmt.Sprint(seed), Found: first.found, Schedules: first.schedules, Seconds: first.seconds}
	if !t.Found {
		t.Limit = string(first.stop)
	}
	return t, err
}

// summarize summarizes the tries of a strategy.
func summarize(m Mutant, opt Options, strategy string, tries []Try) Catch {
	c := Catch{
		Schema: 1, Kind: "catch", Protocol: m.Protocol.Name, Mutant: m.Check.Variant, Claim: m.Check.Claims[0], Time: m.Check.Reading.String(),
		Strategy: strategy, Cap: opt.Schedules, Tries: tries,
	}
	var schedules, seconds []Bounds
	for _, t := range tries {
		schedules, seconds = append(schedules, t.bounds()), append(seconds, exactly(t.Seconds))
		if t.Found {
			c.Found++
		}
	}
	c.Median, c.Seconds = median(schedules), median(seconds).AtLeast
	if low, high, ok := interval(schedules); ok {
		c.Low, c.High = &low, &high
	}
	return c
}

// Interval formats the confidence interval of the median: "[4, 17]", "[4, > 1000]", "> 1000", or "–".
func (c Catch) Interval() string {
	switch {
	case c.Low == nil:
		return "–"
	case math.IsInf(c.Low.AtMost, 1):
		return c.Low.String()
	}
	return fmt.Sprintf("[%v, %v]", c.Low, c.High)
}
