package campaign

import (
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker/verify/checking"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
)

// Work has the jobs of a specification.
type Work struct {
	Spec  *Spec
	Parts []Part
	jobs  []Job // of the first round
	again []int // numbers of the jobs that further rounds repeat with other seeds
}

// A Part is a command line of a campaign.
type Part struct {
	Line  []string
	Plan  *checking.Plan // nil for selftest and fuzz
	Test  *Selftest      // nil for others
	Fuzz  *Fuzz          // nil for others
	seeds uint64         // number of seeds of each check in a round
	first []int          // number of the first job of each split check
}

// Selftest has the arguments of a part of verb selftest.
type Selftest struct {
	Seed    uint64
	Systems int
	States  int
}

// A Job is the unit of work of one worker.
type Job struct {
	Number int // from 0
	Part   int
	Check  int    // index in its part
	Seed   uint64 // of its samples
	Count  int    // of schedules, systems or inputs; 0 for a whole check
}

// Work returns the jobs of the specification for a tool of the same build. The error is one sentence about
// the parts.
func (s *Spec) Work(t *tool.Tool) (*Work, error) {
	w := &Work{Spec: s}
	for i, line := range s.Parts {
		if err := w.add(t, i, line); err != nil {
			return nil, err
		}
	}
	if len(w.jobs) > MostJobs {
		return nil, fmt.Errorf("that is %d jobs, but a campaign has at most %d; --each gives a job more schedules", len(w.jobs), MostJobs)
	}
	if s.Repeat && len(w.again) == 0 {
		return nil, fmt.Errorf("--repeat is set, but no part is of run, fuzz or selftest: only they have further seeds")
	}
	return w, nil
}

// add adds a part and its jobs. Samples are split by seeds: the seed of job k is the part's seed plus k.
func (w *Work) add(t *tool.Tool, i int, line []string) (err error) {
	part := Part{Line: line}
	if line[0] == "selftest" {
		if part.Test, err = selftest(line); err != nil {
			return err
		}
		w.split(&part, i, 0, part.Test.Seed, part.Test.Systems)
		part.seeds = uint64(part.Test.Systems)
	} else if line[0] == "fuzz" {
		if part.Fuzz, err = fuzz(t, line); err != nil {
			return err
		}
		for k := range part.Fuzz.Targets {
			w.split(&part, i, k, part.Fuzz.Seed, part.Fuzz.Inputs)
		}
	} else if part.Plan, err = checking.Planned(t, line); err != nil {
		return err
	} else {
		for k, j := range part.Plan.Jobs {
			if line[0] == "run" {
				w.split(&part, i, k, part.Plan.Options.Seed, j.Check.Schedules)
			} else {
				w.jobs = append(w.jobs, Job{Number: len(w.jobs), Part: i, Check: k, Seed: part.Plan.Options.Seed})
			}
		}
	}
	w.Parts = append(w.Parts, part)
	return nil
}

// split adds jobs for count schedules, inputs or systems.
func (w *Work) split(part *Part, i, check int, seed uint64, count int) {
	part.first = append(part.first, len(w.jobs))
	for n := uint64(0); count > 0; n++ {
		j := Job{Number: len(w.jobs), Part: i, Check: check, Seed: seed + n, Count: min(count, w.Spec.Each)}
		if part.Test != nil {
			j.Seed = seed + n*uint64(w.Spec.Each)
		}
		w.again = append(w.again, j.Number)
		w.jobs = append(w.jobs, j)
		count -= j.Count
		part.seeds = n + 1
	}
}

// Round returns the number of jobs in the first rounds. The first round has all jobs, further rounds have the
// sampled ones with other seeds.
func (w *Work) Round(rounds int) int {
	return len(w.jobs) + (rounds-1)*len(w.again)
}

// Job returns the job with a number ≥ 0.
func (w *Work) Job(number int) Job {
	if number < len(w.jobs) {
		return w.jobs[number]
	}
	beyond := number - len(w.jobs)
	j := w.jobs[w.again[beyond%len(w.again)]]
	j.Number = number
	j.Seed += uint64(beyond/len(w.again)+1) * w.Parts[j.Part].seeds
	return j
}

// Title returns a readable name of a job.
func (w *Work) Title(j Job) string {
	part := w.Parts[j.Part]
	if part.Test != nil {
		return fmt.Sprintf("selftest, systems %d to %d", j.Seed, j.Seed+uint64(j.Count)-1)
	}
	if part.Fuzz != nil {
		return fmt.Sprintf("fuzz %s, %d inputs of seed %d", part.Fuzz.Label(j.Check), j.Count, j.Seed)
	}
	planned := part.Plan.Jobs[j.Check]
	title := part.Plan.Verb + " " + console.Label(planned.Protocol.Name, planned.Check.Variant)
	if j.Count > 0 {
		return fmt.Sprintf("%s, %d schedules of seed %d", title, j.Count, j.Seed)
	}
	return fmt.Sprintf("%s (%d of %d)", title, j.Check+1, len(part.Plan.Jobs))
}

// selftest parses the line of a part.
func selftest(line []string) (*Selftest, error) {
	var s Selftest
	c := &cobra.Command{Use: "selftest", SilenceErrors: true, SilenceUsage: true, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return nil }}
	c.Flags().Uint64Var(&s.Seed, "seed", 0, "")
	c.Flags().IntVar(&s.Systems, "systems", 1000, "")
	c.Flags().IntVar(&s.States, "states", 200, "")
	c.SetArgs(append([]string{}, line[1:]...))
	err := c.Execute()
	switch {
	case err != nil:
	case s.Systems < 1 || s.Systems > 100_000_000:
		err = fmt.Errorf("systems is %d, but must be 1 to 100000000", s.Systems)
	case s.States < 1 || s.States > 1_000_000:
		err = fmt.Errorf("states is %d, but must be 1 to 1000000", s.States)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", console.Quoted(line), err)
	}
	return &s, nil
}
