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

// tries is how many runs are made to find the choices of one step.
const tries = 5000

// A runner finds the choices of a trace's steps, one step after the other.
type runner struct {
	target checker.Target
	header traces.Trace
	steps  []traces.Step
	made   []choice // of the beginning, and of the steps so far
	left   int      // of tries
}

// newRunner makes the choices of the beginning, given those that pick the system.
func newRunner(tg checker.Target, t *traces.Trace, picked []choice) (*runner, error) {
	trial, err := tg.Trial(&script{written: options(picked)}, false)
	if err != nil {
		return nil, err
	}
	w, wide := trial.World, &widest{}
	for i, c := range t.Boot {
		if i >= len(w.Boot) || w.Boot[i].Is != c {
			return nil, fmt.Errorf("boot: choice %d is %d, but in the runs of a target each is 0 as the run begins", i+1, c)
		}
	}
	sample.Begin(w.System, wide, trial.Reading)
	return &runner{
		target: tg,
		header: traces.New(tg.Protocol, t.Variant, w.System.Config, t.Timed(), "", ""),
		steps:  t.Renamed(w.System.Renamed).Steps,
		made:   slices.Concat(picked, wide.asked),
	}, nil
}

// A probe is what a run came to in the step that is looked for.
type probe struct {
	asked []choice // in that step
	step  traces.Step
	taken bool
	end   sample.End // why it is not taken
}

// extend finds the choices of the next step, number k from 0.
func (r *runner) extend(k int) error {
	r.left = tries
	is, err := r.probe(k, nil)
	if err != nil {
		return err
	}
	found, err := r.search(k, nil, is)
	if err != nil {
		return err
	}
	if found == nil && len(is.asked) == 0 && is.end == sample.Done {
		return fmt.Errorf("step %d (%s): runs of a target end some steps after every script is done, which is before this step", k+1, r.steps[k])
	}
	if found == nil && is.end == sample.Violated {
		return fmt.Errorf("step %d (%s): the run of the target ends before it, since a claim is violated", k+1, r.steps[k])
	}
	if found == nil {
		return fmt.Errorf("step %d (%s): no run of the target takes it after the steps before it", k+1, r.steps[k])
	}
	r.made = append(r.made, found.asked...)
	return nil
}

// probe runs up to step k with some choices in it, and the first of all for the rest.
func (r *runner) probe(k int, written []int) (probe, error) {
	s := &script{written: slices.Concat(options(r.made), written)}
	trial, err := r.target.Trial(s, false)
	if err != nil {
		return probe{}, err
	}
	out := sample.Run(trial.World, s, sample.Bounds{World: trial.Reading, MaxSteps: k + 1})
	if out.Err != nil {
		return probe{}, trial.Failed(out.Records, out.Err)
	}
	is := probe{asked: s.asked[min(len(r.made), len(s.asked)):], end: out.End}
	if len(out.Records) == k+1 {
		tr, err := traces.FromRun(r.header, trial.World, trial.Reading.Parts, out.Records[k:])
		if err != nil {
			return probe{}, err
		}
		is.step, is.taken = tr.Steps[0], true
	}
	return is, nil
}

// search finds the choices of step k that begin as written. Of is what the run comes to where the rest are the
// first of all.
func (r *runner) search(k int, written []int, of probe) (*probe, error) {
	near := r.closeness(k, of)
	if near == exact {
		return &of, nil
	}
	at := len(written)
	if at >= len(of.asked) {
		return nil, nil
	}
	if near < placed && at+1 < len(of.asked) { // most steps are no faults: the first choice is whether one strikes
		if found, _, err := r.options(k, append(slices.Clone(written), 0), of); found != nil || err != nil {
			return found, err
		}
	}
	found, all, err := r.options(k, written, of)
	if found != nil || err != nil {
		return found, err
	}
	for _, o := range all {
		if found, err := r.search(k, append(slices.Clone(written), o.is), o.comes); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// An option is one of those of a choice, and what the run comes to with it.
type option struct {
	is    int
	comes probe
}

// options tries those of the choice after what is written. One with which the step is placed, or timed, as it
// shall be is searched at once. It returns the others, but one only of those that are alike, the closest first.
func (r *runner) options(k int, written []int, of probe) (found *probe, all []option, err error) {
	at := len(written)
	all = []option{{0, of}}
	for i := 1; i < of.asked[at].n; i++ {
		if r.left--; r.left < 0 {
			return nil, nil, nil
		}
		with := append(slices.Clone(written), i)
		comes, err := r.probe(k, with)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(all, func(o option) bool { return o.comes.like(comes, at+1) }) {
			continue
		}
		if near := r.closeness(k, comes); near >= placed && near > r.closeness(k, of) {
			if found, err := r.search(k, with, comes); found != nil || err != nil {
				return found, nil, err
			}
			continue
		}
		all = append(all, option{i, comes})
	}
	slices.SortStableFunc(all, func(a, b option) int {
		return cmp.Compare(r.closeness(k, b.comes), r.closeness(k, a.comes))
	})
	return nil, all, nil
}

// like reports whether two runs come to the same step, and ask for the same choices from one on: then
// one of them is enough to try.
func (p probe) like(o probe, from int) bool {
	options := func(a, b choice) bool { return a.n == b.n }
	return p.taken == o.taken && p.step.Same(o.step) && p.step.At == o.step.At && bytes.Equal(p.step.Value, o.step.Value) &&
		slices.Equal(p.step.Choices, o.step.Choices) && slices.EqualFunc(p.asked[min(from, len(p.asked)):], o.asked[min(from, len(o.asked)):], options)
}

// The closeness of a step that is the right one, but for its instant and its answers; and of the step that is looked for.
const (
	placed = 5
	exact  = 7
)

// closeness says how much of a step is as it shall be, in the order in which a run chooses: what happens, where, to
// which message, when, and the answers that handlers are given.
func (r *runner) closeness(k int, p probe) int {
	want, is := r.steps[k], p.step
	for n, as := range []bool{
		p.taken, is.Kind == want.Kind, is.From == want.From, is.To == want.To,
		is.Same(want) && bytes.Equal(is.Value, want.Value), is.At == want.At, slices.Equal(is.Choices, want.Choices),
	} {
		if !as {
			return n
		}
	}
	return exact
}
