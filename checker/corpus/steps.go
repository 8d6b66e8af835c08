package corpus

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"contend/checker"
	"contend/checker/sample"
	"contend/traces"
)

// tries is the maximum number of runs in the search for one step.
const tries = 5000

// A runner finds the choices of a trace's steps, one step after the other.
type runner struct {
	target    checker.Target
	header    traces.Trace
	steps     []traces.Step
	made      []choice // of the run's beginning and the steps so far
	remaining int      // remaining tries
}

// newRunner makes the choices of a run's beginning, after those of the system.
func newRunner(tg checker.Target, t *traces.Trace, picked []choice) (*runner, error) {
	trial, err := tg.Trial(&script{given: options(picked)}, false)
	if err != nil {
		return nil, err
	}
	w, wide := trial.World, &widest{}
	for i, c := range t.Boot {
		if i >= len(w.Boot) || w.Boot[i].Is != c {
			return nil, fmt.Errorf("boot: choice %d is %d, but at the beginning of a target's runs every choice is 0", i+1, c)
		}
	}
	sample.Begin(w.System, wide, trial.Reading)
	return &runner{
		target: tg,
		header: traces.New(tg.Protocol, t.Variant, w.System.Config, t.Timed(), "", ""),
		steps:  t.Renamed(w.System.Renamed).Steps,
		made:   slices.Concat(picked, wide.made),
	}, nil
}

// A probe is a run's result in the step that is searched for.
type probe struct {
	made     []choice // choices of that step
	step     traces.Step
	complete bool
	end      sample.End // reason why the step is missing
}

// extend finds the choices of the next step, with index k.
func (r *runner) extend(k int) error {
	r.remaining = tries
	p, err := r.probe(k, nil)
	if err != nil {
		return err
	}
	found, err := r.search(k, nil, p)
	if err != nil {
		return err
	}
	if found == nil && len(p.made) == 0 && p.end == sample.Done {
		return fmt.Errorf("step %d (%s): a target's run ends earlier, some steps after every script is done", k+1, r.steps[k])
	}
	if found == nil && p.end == sample.Violated {
		return fmt.Errorf("step %d (%s): the run of the target ends before it, since a claim is violated", k+1, r.steps[k])
	}
	if found == nil {
		return fmt.Errorf("step %d (%s): no run of the target takes it after the steps before it", k+1, r.steps[k])
	}
	r.made = append(r.made, found.made...)
	return nil
}

// probe runs up to step k with given choices in it, followed by 0.
func (r *runner) probe(k int, written []int) (probe, error) {
	s := &script{given: slices.Concat(options(r.made), written)}
	trial, err := r.target.Trial(s, false)
	if err != nil {
		return probe{}, err
	}
	out := sample.Run(trial.World, s, sample.Bounds{World: trial.Reading, MaxSteps: k + 1})
	if out.Err != nil {
		return probe{}, trial.Failed(out.Records, out.Err)
	}
	p := probe{made: s.made[min(len(r.made), len(s.made)):], end: out.End}
	if len(out.Records) == k+1 {
		tr, err := traces.FromRun(r.header, trial.World, trial.Reading.Parts, out.Records[k:])
		if err != nil {
			return probe{}, err
		}
		p.step, p.complete = tr.Steps[0], true
	}
	return p, nil
}

// search finds the choices of step k that begin as written. P is the result of written followed by zeros.
func (r *runner) search(k int, written []int, p probe) (*probe, error) {
	near := r.closeness(k, p)
	if near == exact {
		return &p, nil
	}
	at := len(written)
	if at >= len(p.made) {
		return nil, nil
	}
	if near < placed && at+1 < len(p.made) { // most steps are no faults: the first choice is whether a fault occurs
		if found, _, err := r.options(k, append(slices.Clone(written), 0), p); found != nil || err != nil {
			return found, err
		}
	}
	found, all, err := r.options(k, written, p)
	if found != nil || err != nil {
		return found, err
	}
	for _, o := range all {
		if found, err := r.search(k, append(slices.Clone(written), o.value), o.result); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// An option is a value of a choice, with the result of a run.
type option struct {
	value  int
	result probe
}

// options tries all values of the choice after written. It searches at once the values whose step is placed
// or better. It returns one of each set of equivalent other values, the closest first.
func (r *runner) options(k int, written []int, p probe) (found *probe, all []option, err error) {
	at := len(written)
	all = []option{{0, p}}
	for i := 1; i < p.made[at].n; i++ {
		if r.remaining--; r.remaining < 0 {
			return nil, nil, nil
		}
		with := append(slices.Clone(written), i)
		comes, err := r.probe(k, with)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(all, func(o option) bool { return o.result.equivalent(comes, at+1) }) {
			continue
		}
		if near := r.closeness(k, comes); near >= placed && near > r.closeness(k, p) {
			if found, err := r.search(k, with, comes); found != nil || err != nil {
				return found, nil, err
			}
			continue
		}
		all = append(all, option{i, comes})
	}
	slices.SortStableFunc(all, func(a, b option) int {
		return cmp.Compare(r.closeness(k, b.result), r.closeness(k, a.result))
	})
	return nil, all, nil
}

// equivalent reports whether two runs have the same step, and the same choices from an index on. Then one of them
// suffices.
func (p probe) equivalent(o probe, from int) bool {
	options := func(a, b choice) bool { return a.n == b.n }
	return p.complete == o.complete && p.step.Same(o.step) && p.step.At == o.step.At && bytes.Equal(p.step.Value, o.step.Value) &&
		slices.Equal(p.step.Choices, o.step.Choices) && slices.EqualFunc(p.made[min(from, len(p.made)):], o.made[min(from, len(o.made)):], options)
}

// Closeness of a step that differs only in instant and answers, and of an equal step.
const (
	placed = 5
	exact  = 7
)

// closeness returns the number of leading properties in which a step equals the trace's. The order is that of
// a run's choices: kind, sender, receiver, message, instant, answers.
func (r *runner) closeness(k int, p probe) int {
	want, have := r.steps[k], p.step
	for n, as := range []bool{
		p.complete, have.Kind == want.Kind, have.From == want.From, have.To == want.To,
		have.Same(want) && bytes.Equal(have.Value, want.Value), have.At == want.At, slices.Equal(have.Choices, want.Choices),
	} {
		if !as {
			return n
		}
	}
	return exact
}
