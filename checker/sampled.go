package checker

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"contend/checker/judge"
	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/checker/search/runs"
	"contend/model"
	"contend/model/guard"
	"contend/traces"
	"contend/traces/replay"
)

// sampleRow samples schedules of one configuration, with real-valued times unless
// the reading is untimed.
func sampleRow(p *model.Protocol, c model.Check, claims []model.Claim, opt Options) (*Row, error) {
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		return nil, err
	}
	if c.Reading == model.Grid {
		return nil, fmt.Errorf("time is grid, but schedules are sampled untimed or with real-valued times: --time untimed or dense")
	}
	kind, err := strategy.Find(cmp.Or(opt.Strategy, strategy.Default))
	if err != nil {
		return nil, err
	}
	row := newRow(p, c, s)
	row.Strategy, row.Seed, row.Limit = kind.Name, fmt.Sprint(opt.Seed), "schedules"
	row.Command = sampledCommand(p, c, s, kind, opt)
	met := split(row, p, s, claims, c)
	if len(met) == 0 {
		overall(row)
		return row, nil
	}
	sampled := &sampling{protocol: p, row: row, opt: opt, claims: met, undecided: map[string]string{}}
	start := time.Now()
	w := opt.watch(start)
	var res sample.Result
	by := kind.New()
	err = w.Run(func() error {
		options := sampled.options(c, opt, start, w)
		options.Strategy = by
		r, err := sample.Sample(s, met, options)
		res = r
		return err
	})
	row.Seconds = clock(start)
	if stuck, ok := err.(Endless); ok {
		sampled.giveUp(Stuck, Stuck, stuck.Error())
		overall(row)
		return row, nil
	}
	if bug := new(runs.Disagreement); errors.As(err, bug) {
		sampled.giveUp("schedules", Internal+": "+bug.Error(), "")
		overall(row)
		return row, nil
	}
	if err != nil {
		return nil, err
	}
	if n, has := by.(strategy.Noter); has {
		for _, note := range n.Notes() {
			row.Notes = append(row.Notes, kind.Name+": "+note)
		}
	}
	if c.Schedules == endless {
		again := c
		again.Schedules = int(res.Schedules)
		row.Command = sampledCommand(p, again, s, kind, opt)
	}
	row.Schedules, row.Transitions, row.Depth, row.Cut = res.Schedules, res.Steps, res.MaxDepth, res.Cut
	if res.Stop != sample.AllViolated {
		row.Limit = string(res.Stop)
	}
	if res.Steps == 0 && res.Stop == sample.Budget {
		row.Limit = NoStep
	}
	for _, claim := range met {
		r, err := sampled.result(claim, c, s, &res)
		if err != nil {
			return nil, err
		}
		row.Claims = append(row.Claims, r)
	}
	fails, err := sampled.result(noHandlerFails, c, s, &res)
	if err != nil {
		return nil, err
	}
	if fails.Verdict == Violated {
		row.Claims = append(row.Claims, fails)
	}
	passOver(row, p, s, c.Reading)
	overall(row)
	return row, nil
}

// sampledCommand is the command line that samples the same schedules.
func sampledCommand(p *model.Protocol, c model.Check, s *model.System, kind strategy.Kind, opt Options) string {
	command := fmt.Sprintf("%s --seed %d", Command(p, c, s.Config), opt.Seed)
	if kind.Name != strategy.Default {
		command += " --strategy " + kind.Name
	}
	if len(opt.Adversaries) > 0 {
		command += " --adversary " + strings.Join(opt.Adversaries, ",")
	}
	return command
}

type sampling struct {
	protocol  *model.Protocol
	row       *Row
	opt       Options
	claims    []model.Claim
	lock      sync.Mutex
	undecided map[string]string
}

// giveUp writes into the row that a handler does not return, or that a bug of the checker left the claims without a verdict.
func (x *sampling) giveUp(row, limit, text string) {
	x.row.Limit = row
	for _, c := range x.claims {
		r := result(c)
		r.Verdict, r.Limit, r.Text = Inconclusive, limit, text
		x.row.Claims = append(x.row.Claims, r)
	}
}

func (x *sampling) options(c model.Check, opt Options, start time.Time, w *Watch) sample.Options {
	cells := sync.Map{} // by worker
	o := sample.Options{Workers: opt.Workers, Adversaries: opt.Adversaries,
		Schedules: c.Schedules, Seed: opt.Seed, Timed: c.Reading != model.Untimed, Timeout: opt.Timeout, Interrupt: opt.Interrupt,
		Running: func(worker int) *guard.Cell {
			c, ok := cells.Load(worker)
			if !ok {
				c, _ = cells.LoadOrStore(worker, w.Cell())
			}
			return c.(*guard.Cell)
		},
	}
	if opt.Progress != nil {
		planned := int64(c.Schedules)
		if planned == endless {
			planned = 0
		}
		o.Progress = func(done, steps int64) {
			opt.Progress(Progress{Row: x.row, Sampled: true, Schedules: done, Planned: planned, Generated: steps, Elapsed: time.Since(start)})
		}
	}
	for _, claim := range x.claims {
		if claim.Kind == model.Linearizable {
			o.Judges = append(o.Judges, sample.Judge{Claim: claim.Name, Check: x.porcupine(claim, func() time.Duration { return opt.patience(start) })})
		}
	}
	return o
}

// porcupine judges each sampled history once more.
func (x *sampling) porcupine(c model.Claim, patience func() time.Duration) func([]model.Observation, bool) error {
	return func(history []model.Observation, _ bool) error {
		switch verdict, err := judge.History(c.Object, history, patience()); {
		case err != nil:
			return err
		case verdict == judge.Illegal:
			return errors.New("porcupine finds no order of the operations that explains their results")
		case verdict == judge.Unknown:
			x.lock.Lock()
			x.undecided[c.Name] = "porcupine"
			x.lock.Unlock()
		}
		return nil
	}
}

// replays replays the trace of a violation strictly, as whoever is shown it will: what does not
// break the claim again is a handler's doing that is not a function of what it is given, or else
// a bug.
func (x *sampling) replays(t *traces.Trace) error {
	if _, err := replay.Replay(x.protocol, t, x.claims); err != nil {
		return fmt.Errorf("a violation of %s that was sampled does not come again: some handler is not a function of what it is given: %w", t.Claim, err)
	}
	return nil
}

func (x *sampling) result(c model.Claim, check model.Check, s *model.System, res *sample.Result) (ClaimResult, error) {
	r := result(c)
	r.Verdict, r.Limit, r.Witnessed = Inconclusive, x.row.Limit, res.Witnessed[c.Name]
	if limit := x.undecided[c.Name]; limit != "" {
		r.Limit = limit
	}
	if r.Limit == NoStep {
		r.Text = "no schedule took a step: nothing was put to the test"
	} else if c.Kind == model.Eventually || c.Kind == model.PossibleFromEverywhere || c.Kind == model.AlmostSurely {
		r.Text = "no finite run can refute it"
	}
	if c.Kind == model.Sometimes && res.Reached[c.Name] {
		r.Verdict, r.Limit = Holds, ""
	}
	for _, f := range res.Violations {
		if f.Claim != c.Name {
			continue
		}
		t, err := traces.FromRun(header(x.protocol, check, s, x.claims, c.Name, f.Text), f.World, f.Parts, f.Records)
		if err != nil {
			return r, err
		}
		if err := x.replays(t); err != nil {
			return r, err
		}
		if t, r.Minimized, err = x.opt.minimize(x.protocol, t); err != nil {
			return r, err
		}
		r.violatedBy(t)
		r.Found = &Found{Schedule: f.Schedule + 1, Strategy: cmp.Or(f.Maker, x.row.Strategy)}
	}
	return r, nil
}
