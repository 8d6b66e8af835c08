package campaign

import (
	"errors"
	"slices"
	"time"

	"contend/checker"
	"contend/checker/sample/strategy"
	"contend/checker/verdict"
	"contend/lab/compare"
)

// A Doing has the parameters of doing a job.
type Doing struct {
	Worker    string
	Threads   int // 0 is one for each processor
	Interrupt <-chan struct{}
	Progress  func(checker.Progress) // called about ten times a second; may be nil
	Learned   Learned                // for a job that learns; nil is empty
}

// Do does a job. The outcome is nil after an interrupt. Stuck reports that a handler never returns: then the
// process must end.
func (w *Work) Do(j Job, d Doing) (o *Outcome, stuck bool, err error) {
	start := time.Now()
	o = &Outcome{Schema: 1, Job: j.Number, By: By{Worker: d.Worker}}
	part := w.Parts[j.Part]
	if w.Learns(j) && d.Learned == nil {
		d.Learned = w.EmptyLearned(j)
	}
	if part.Fuzz != nil {
		if stuck, err = o.fuzz(part.Fuzz, j, d.Learned, d.Interrupt); err != nil {
			return nil, false, err
		}
	} else if part.Test != nil {
		o.Tally = newTally(compare.Run(compare.Options{
			Seed: j.Seed, Systems: j.Count, States: part.Test.States, Workers: max(d.Threads, 1), Stop: func() bool { return closed(d.Interrupt) },
		}))
		o.By.Steps = int64(o.Tally.Systems)
	} else {
		verdict.Tool = toolName
		planned, opt := part.Plan.Jobs[j.Check], part.Plan.Options
		opt.Workers, opt.Interrupt, opt.Progress = d.Threads, d.Interrupt, d.Progress
		if j.Count > 0 {
			planned.Check.Schedules, opt.Seed = j.Count, j.Seed
		}
		if w.Learns(j) {
			opt.Cover, _ = d.Learned.(*strategy.Cover)
		}
		rows, err := checker.Check(planned.Protocol, planned.Check, opt)
		if err != nil {
			o.Error = err.Error()
		}
		o.Rows = rows
		stuck = slices.ContainsFunc(rows, func(r *checker.Row) bool { return r.Limit.Code == checker.Stuck })
		if err := o.strip(); err != nil {
			return nil, stuck, err
		}
		if w.Learns(j) && !stuck {
			o.addLearned(d.Learned)
		}
	}
	o.By.Seconds = time.Since(start).Seconds()
	if closed(d.Interrupt) {
		return nil, stuck, nil
	}
	return o, stuck, nil
}

// toolName is the tool's name in stored commands, whatever the program's name.
const toolName = "verify"

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// A Tally is the stored tally of a selftest.
type Tally struct {
	Systems       int             `json:"systems"`
	Compared      int             `json:"compared"`
	Resumed       int             `json:"resumed"`
	Rows          []compare.Count `json:"rows"` // in the order of compare.Rows
	Costs         compare.Costs   `json:"costs"`
	Disks         compare.Disks   `json:"disks"`
	Features      map[string]int  `json:"features"`
	Disagreements []Disagreement  `json:"disagreements"`
}

// A Disagreement is a disagreement of search and brute force on a random system.
type Disagreement struct {
	Seed     uint64   `json:"seed,string"`
	System   string   `json:"system"`
	Problems []string `json:"problems"`
}

func newTally(t *compare.Tally) *Tally {
	out := &Tally{Systems: t.Systems, Compared: t.Compared, Resumed: t.Resumed, Costs: t.Costs, Disks: t.Disks, Features: t.Features}
	for _, r := range compare.Rows() {
		out.Rows = append(out.Rows, *t.Rows[r])
	}
	for _, c := range t.Disagreements {
		out.Disagreements = append(out.Disagreements, Disagreement{c.Seed, c.About, c.Problems})
	}
	return out
}

// valid returns an error if the tally cannot be the job's, or nil.
func (t *Tally) valid(j Job) error {
	if t.Systems != j.Count || t.Compared < 0 || t.Compared > t.Systems || len(t.Rows) != len(compare.Rows()) || len(t.Disagreements) > t.Systems {
		return errors.New("its tally does not fit the job's systems")
	}
	return nil
}

// add adds the stored tally to another.
func (t *Tally) add(to *compare.Tally) {
	to.Systems += t.Systems
	to.Compared += t.Compared
	to.Resumed += t.Resumed
	to.Disks.Add(t.Disks)
	for i, r := range compare.Rows() {
		n, m := to.Rows[r], t.Rows[i]
		n.Claims += m.Claims
		n.Decided += m.Decided
		n.Holds += m.Holds
		n.Inconclusive += m.Inconclusive
		n.Missed += m.Missed
		n.Disagreements += m.Disagreements
	}
	to.Costs.Compared += t.Costs.Compared
	to.Costs.Spread += t.Costs.Spread
	to.Costs.None += t.Costs.None
	to.Costs.Open += t.Costs.Open
	to.Costs.Skipped += t.Costs.Skipped
	for name, n := range t.Features {
		to.Features[name] += n
	}
	for _, d := range t.Disagreements {
		to.Disagreements = append(to.Disagreements, &compare.Comparison{Seed: d.Seed, About: d.System, Problems: d.Problems})
	}
}

// Mutant reports whether violations of a part's check are expected, since it checks a mutant.
func (p *Part) Mutant(check int) bool {
	if p.Plan == nil || p.Plan.Verb != "mutants" {
		return false
	}
	planned := p.Plan.Jobs[check]
	v, err := planned.Protocol.Variant(planned.Check.Variant)
	return err == nil && v.Mutant()
}
