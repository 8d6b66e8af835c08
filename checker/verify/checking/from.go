package checking

import (
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/plan"
	"contend/checker/verify/tool"
	"contend/model"
)

// fromFlags are the flags of a search that begins behind a run.
type fromFlags struct {
	file string
	step int
	run  *checker.From // once it was read; nil unless it is asked for
}

func (f *fromFlags) bind(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "from", "", "begin the search where the run of a `TRACE` ends; verdicts are about runs that continue it")
	c.Flags().IntVar(&f.step, "step", 0, "with --from: begin after this number of `STEPS` of the trace (default all)")
}

// fromJobs returns the one check that begins where a run ends. Its protocol and configuration are the trace's,
// unless arguments and flags differ.
func fromJobs(t *tool.Tool, args []string, f *checkFlags) ([]*plan.Plan, error) {
	switch {
	case f.deep:
		return nil, fmt.Errorf("--from is set, but the checks of --deep begin at the initial state")
	case f.costs:
		return nil, fmt.Errorf("--from is set, but --costs computes the costs of whole runs")
	case len(args) > 1:
		return nil, fmt.Errorf("--from is set, but %d protocols are named, and a trace belongs to one", len(args))
	}
	p, tr, err := t.Read(f.from.file)
	if err != nil {
		return nil, err
	}
	at := tool.Target{Protocol: p, Variant: tr.Variant, Named: true}
	if len(args) > 0 {
		targets, err := t.Targets(args)
		if err != nil {
			return nil, err
		}
		if at = targets[0]; at.Protocol != p {
			return nil, fmt.Errorf("--from is a trace of %s, but the protocol named is %s", p.Name, at.Protocol.Name)
		}
	}
	c, note, err := f.given(at, tr.Config.Model())
	if err != nil {
		return nil, err
	}
	if !f.config.Flags.Changed("time") && c.Schedules == 0 {
		c.Reading = model.Untimed
	}
	j, err := plan.Continued(p, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	j.Note = note
	f.from.run = &checker.From{Trace: tr, Steps: len(tr.Steps), File: f.from.file}
	if f.config.Flags.Changed("step") {
		f.from.run.Steps = f.from.step
	}
	jobs := []*plan.Plan{j}
	return jobs, f.effective(jobs)
}
