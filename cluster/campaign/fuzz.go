package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"contend/checker"
	"contend/checker/enlarge"
	"contend/checker/fuzzing"
	"contend/checker/sample"
	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/checker/watch"
	"contend/model"
	"contend/traces"
)

// Fuzz has the arguments of a part of verb fuzz: runs of fuzz targets for random inputs.
type Fuzz struct {
	Seed    uint64
	Inputs  int // for each target
	Targets []tool.Target
}

// fuzz parses the line of a part.
func fuzz(t *tool.Tool, line []string) (*Fuzz, error) {
	f := &Fuzz{}
	c := &cobra.Command{Use: "fuzz", SilenceErrors: true, SilenceUsage: true, RunE: func(_ *cobra.Command, args []string) (err error) {
		if f.Targets, err = t.Targets(args); err == nil && (f.Inputs < 1 || f.Inputs > 100_000_000) {
			err = fmt.Errorf("inputs is %d, but must be 1 to 100000000", f.Inputs)
		}
		return err
	}}
	c.Flags().Uint64Var(&f.Seed, "seed", 0, "")
	c.Flags().IntVar(&f.Inputs, "inputs", 1000, "")
	c.SetHelpFunc(func(*cobra.Command, []string) {}) // otherwise the part would have the flag --help
	c.SetArgs(append([]string{}, line[1:]...))
	err := c.Execute()
	if err == nil && len(f.Targets) == 0 { // after --help
		err = errors.New("it asks for no runs")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", console.Quoted(line), err)
	}
	return f, nil
}

// target returns the fuzz target of a protocol, or of a variant with the same checks.
func (f *Fuzz) target(check int) checker.Target {
	at := f.Targets[check]
	tg := checker.Target{Protocol: at.Protocol}
	if at.Variant != "" {
		tg.Configure = func(c sample.Choices) model.Check {
			picked := enlarge.Pick(at.Protocol, c)
			picked.Variant = at.Variant
			return picked
		}
	}
	return tg
}

// Label returns the name of a target.
func (f *Fuzz) Label(check int) string {
	return console.Label(f.Targets[check].Protocol.Name, f.Targets[check].Variant)
}

// Fuzzed is the result of a target's runs.
type Fuzzed struct {
	Inputs     int         `json:"inputs"`
	Steps      int64       `json:"steps"`
	States     int         `json:"states"`     // states of nodes; the maximum of several jobs
	Violations []Violation `json:"violations"` // one for each claim
}

// A Violation is a run of an input that violates a claim.
type Violation struct {
	Claim  string `json:"claim"`
	Text   string `json:"text"`
	Steps  int    `json:"steps"`
	Object string `json:"object"`          // name in the campaign's store
	Limit  string `json:"limit,omitempty"` // reason why the replay failed

	Run *traces.Trace `json:"-"` // set by the replay
}

// fuzz does a job. It reports whether a handler does not return.
func (o *Outcome) fuzz(f *Fuzz, j Job, learned Learned, stop <-chan struct{}) (stuck bool, err error) {
	found, _ := learned.(*fuzzing.Corpus)
	result := f.target(j.Check).Inputs(j.Seed, j.Count, found, stop)
	o.By.Steps = int64(result.Runs)
	if result.Err != nil {
		o.Error = result.Err.Error()
		return errors.As(result.Err, new(watch.Endless)), nil
	}
	o.Fuzzed, o.traces = &Fuzzed{Inputs: result.Runs, Steps: result.Steps, States: result.States}, map[string][]byte{}
	for _, b := range result.Broken {
		object, err := o.addTrace(b.Trace)
		if err != nil {
			return false, err
		}
		o.Fuzzed.Violations = append(o.Fuzzed.Violations, Violation{Claim: b.Claim, Text: b.Text, Steps: len(b.Trace.Steps), Object: object})
	}
	o.addLearned(learned)
	return false, nil
}

// mostViolations bounds the violated claims of an outcome.
const mostViolations = 1000

// valid returns an error if the result cannot be the job's, or nil.
func (f *Fuzzed) valid(j Job) error {
	if f.Inputs != j.Count || f.Steps < 0 || f.States < 0 || len(f.Violations) > mostViolations {
		return errors.New("its counts do not fit the job's inputs")
	}
	for _, v := range f.Violations {
		if v.Limit != "" || v.Steps < 0 {
			return fmt.Errorf("its run of %.70q is not collected", v.Claim)
		}
		if err := validObject(v.Object); err != nil {
			return err
		}
	}
	return nil
}

// validObject returns an error if a name is no SHA-256.
func validObject(object string) error {
	if raw, err := hex.DecodeString(object); err != nil || len(raw) != sha256.Size {
		return fmt.Errorf("the name of a run is %.70q, but must be a SHA-256", object)
	}
	return nil
}

// confirmFuzzed loads and replays the runs of an outcome.
func (w *Work) confirmFuzzed(job Job, o *Outcome, load func(object string) ([]byte, error)) {
	at := w.Parts[job.Part].Fuzz.Targets[job.Check]
	for i := range o.Fuzzed.Violations {
		v := &o.Fuzzed.Violations[i]
		run, err := confirmed(at.Protocol, at.Variant, v.Claim, v.Object, load)
		if err != nil {
			v.Run, v.Limit = nil, fmt.Sprintf("%s: its run, found by %s, does not stand: %v", checker.Internal, o.By.Worker, err)
			continue
		}
		v.Run, v.Steps = run, len(run.Steps)
	}
}

// add adds the result of another job. For each claim it retains the shortest confirmed run, the first of
// several.
func (f *Fuzzed) add(g *Fuzzed) {
	f.Inputs += g.Inputs
	f.Steps += g.Steps
	f.States = max(f.States, g.States)
	for _, v := range g.Violations {
		i := slices.IndexFunc(f.Violations, func(x Violation) bool { return x.Claim == v.Claim })
		switch {
		case i < 0:
			f.Violations = append(f.Violations, v)
		case v.Run != nil && (f.Violations[i].Run == nil || v.Steps < f.Violations[i].Steps):
			f.Violations[i] = v
		}
	}
}
