package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"contend/checker"
	"contend/checker/search/decide"
	"contend/checker/verdict"
	"contend/checker/verify/tool"
	"contend/lab/compare"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// A Union is the combination of a campaign's outcomes.
type Union struct {
	Jobs, Done int
	// Rows has the rows of each part's checks, nil if a job is open. Sampled rows are added.
	Rows [][][]*checker.Row
	// Open has the number of open jobs for each part's checks.
	Open [][]int
	// Tallies has the tallies of selftests, nil for other parts.
	Tallies []*compare.Tally
	// Fuzzed has the results of each target of the fuzz parts.
	Fuzzed  [][]*Fuzzed
	Aside   []*Outcome // in the order of their jobs
	Failed  []*Outcome // whose check is impossible
	CPU     float64    // total CPU seconds
	Seconds float64    // total seconds of all jobs
	Steps   int64      // states and schedules
	sum     [sha256.Size]byte
}

// Sum returns a fingerprint of everything that does not depend on workers and times. Completed campaigns with
// equal specifications have equal sums.
func (u *Union) Sum() string { return hex.EncodeToString(u.sum[:]) }

// Union combines outcomes by job number; nil for an open job. It loads and replays every counterexample. If
// one does not break its claim, the claim becomes inconclusive, with the name of the worker. Union modifies
// the rows of the outcomes.
func (w *Work) Union(outcomes []*Outcome, load func(object string) ([]byte, error)) (*Union, error) {
	u := &Union{Jobs: len(outcomes), Rows: make([][][]*checker.Row, len(w.Parts)), Open: make([][]int, len(w.Parts)), Tallies: make([]*compare.Tally, len(w.Parts)), Fuzzed: make([][]*Fuzzed, len(w.Parts))}
	split := make([]map[int][]*Outcome, len(w.Parts)) // sampled
	for i, p := range w.Parts {
		split[i] = map[int][]*Outcome{}
		if p.Test != nil {
			u.Tallies[i] = compare.NewTally()
			u.Open[i] = make([]int, 1)
			continue
		}
		if p.Fuzz != nil {
			u.Open[i] = make([]int, len(p.Fuzz.Targets))
			for range p.Fuzz.Targets {
				u.Fuzzed[i] = append(u.Fuzzed[i], &Fuzzed{Violations: []Violation{}})
			}
			continue
		}
		u.Rows[i], u.Open[i] = make([][]*checker.Row, len(p.Plan.Jobs)), make([]int, len(p.Plan.Jobs))
	}
	sum := sha256.New()
	for number, o := range outcomes {
		job := w.Job(number)
		if o == nil {
			u.Open[job.Part][job.Check]++
			continue
		}
		_ = binary.Write(sum, binary.BigEndian, uint64(number)) // a hash does not fail
		one, err := o.Sum()
		if err != nil {
			return nil, err
		}
		sum.Write(one[:])
		u.count(o)
		if o.Fuzzed != nil {
			w.confirmFuzzed(job, o, load)
			u.Fuzzed[job.Part][job.Check].add(o.Fuzzed)
		}
		if o.Rows == nil {
			continue
		}
		if err := w.confirm(job, o, load); err != nil {
			return nil, err
		}
		if job.Count > 0 {
			split[job.Part][job.Check] = append(split[job.Part][job.Check], o)
		} else {
			u.Rows[job.Part][job.Check] = o.Rows
		}
	}
	u.sum = [sha256.Size]byte(sum.Sum(nil))
	for i, checks := range split {
		for check, all := range checks {
			u.Rows[i][check] = w.merged(all)
		}
	}
	for number, o := range outcomes {
		if o != nil && o.Tally != nil {
			o.Tally.add(u.Tallies[w.Job(number).Part])
		}
	}
	return u, nil
}

// count adds the part-independent values of an outcome.
func (u *Union) count(o *Outcome) {
	u.Done++
	u.CPU += o.By.CPU
	u.Seconds += o.By.Seconds
	u.Steps += o.By.Steps
	if o.Aside != nil {
		u.Aside = append(u.Aside, o)
	}
	if o.Error != "" {
		u.Failed = append(u.Failed, o)
	}
	o.restore()
}

// confirm loads and replays the runs of an outcome.
func (w *Work) confirm(job Job, o *Outcome, load func(object string) ([]byte, error)) error {
	for _, row := range o.Rows {
		row.Command = verdict.Tool + strings.TrimPrefix(row.Command, toolName)
	}
	has := map[[2]int]bool{}
	for _, r := range o.Runs {
		has[[2]int{r.Row, r.Claim}] = true
		claim := &o.Rows[r.Row].Claims[r.Claim]
		planned := w.Parts[job.Part].Plan.Jobs[job.Check]
		run, err := confirmed(planned.Protocol, planned.Check.Variant, claim.Name, r.Object, load)
		if err != nil {
			claim.Verdict, claim.Found = checker.Inconclusive, nil
			claim.Limit = decide.Limit{Code: checker.Internal, Detail: fmt.Sprintf("its run, found by %s, does not stand: %v", o.By.Worker, err)}
			o.Rows[r.Row].Verdict = rowVerdict(o.Rows[r.Row].Claims)
			continue
		}
		claim.Counterexample, claim.Steps = run, len(run.Steps)
	}
	for i, row := range o.Rows {
		for k := range row.Claims {
			if c := &row.Claims[k]; c.Verdict == checker.Violated && !has[[2]int{i, k}] && c.Steps > 0 {
				c.Verdict, c.Limit = checker.Inconclusive, decide.Limit{Code: checker.Internal, Detail: o.By.Worker + " says that it is violated, without a run"}
				row.Verdict = rowVerdict(row.Claims)
			}
		}
	}
	return nil
}

// confirmed returns the counterexample of a claim after a successful replay.
func confirmed(p *model.Protocol, variant, claim, object string, load func(object string) ([]byte, error)) (*traces.Trace, error) {
	data, err := load(object)
	if err != nil {
		return nil, err
	}
	if err := Unchanged(object, data); err != nil {
		return nil, err
	}
	tr, err := traces.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if tr.Protocol != p.Name || tr.Variant != variant || tr.Claim != claim {
		return nil, fmt.Errorf("it is of %s of %s/%s", tr.Claim, tr.Protocol, tr.Variant)
	}
	_, err = replay.Replay(p, tr, tool.Watched(p))
	return tr, err
}

// merged returns the row of jobs with different seeds. It adds counts. For each violated claim it retains the
// shortest run, the first of several.
func (w *Work) merged(outcomes []*Outcome) []*checker.Row {
	first := outcomes[0].Rows[0]
	sum := *first
	sum.Cut, sum.Claims, sum.Notes = map[string]int64{}, nil, slices.Clone(first.Notes)
	sum.Schedules, sum.Transitions, sum.HandlerCalls, sum.Seconds, sum.Depth = 0, 0, 0, 0, 0
	seeds := make([]string, 0, 2)
	for _, o := range outcomes {
		row := o.Rows[0]
		sum.Schedules += row.Schedules
		sum.Transitions += row.Transitions
		sum.HandlerCalls += row.HandlerCalls
		sum.Seconds += row.Seconds
		sum.Depth = max(sum.Depth, row.Depth)
		for name, n := range row.Cut {
			sum.Cut[name] += n
		}
		if len(seeds) < 2 {
			seeds = append(seeds, row.Seed)
		} else {
			seeds[1] = row.Seed
		}
		for _, c := range row.Claims {
			addClaim(&sum, row, c)
		}
	}
	if len(outcomes) > 1 {
		sum.Notes = append(sum.Notes, fmt.Sprintf("the schedules are of %d seeds, %s to %s", len(outcomes), seeds[0], seeds[1]))
	}
	if len(outcomes) > 1 && w.Learns(w.Job(outcomes[0].Job)) {
		sum.Notes = append(sum.Notes, "all seeds but the first began with what others covered: their commands do not lead to the same schedules")
	}
	sum.Verdict = rowVerdict(sum.Claims)
	return []*checker.Row{&sum}
}

// addClaim adds a claim's result from one row.
func addClaim(sum, row *checker.Row, c checker.ClaimResult) {
	i := slices.IndexFunc(sum.Claims, func(s checker.ClaimResult) bool { return s.Name == c.Name })
	if i < 0 {
		sum.Claims = append(sum.Claims, c)
		noteCommand(sum, row, c)
		return
	}
	s := &sum.Claims[i]
	witnessed, tested := s.Witnessed || c.Witnessed, s.Tested+c.Tested
	switch {
	case c.Verdict == checker.Violated && (s.Verdict != checker.Violated || c.Steps < s.Steps):
		*s = c
		noteCommand(sum, row, c)
	case s.Verdict == checker.Violated:
	case c.Internal() && !s.Internal(), c.Verdict == checker.Holds && s.Verdict == checker.Inconclusive && !s.Internal():
		*s = c
	}
	s.Witnessed, s.Tested = witnessed, tested
}

// noteCommand replaces the note with the command that samples a violation again.
func noteCommand(sum, row *checker.Row, c checker.ClaimResult) {
	if c.Verdict != checker.Violated {
		return
	}
	note := c.Name + " is violated: " + row.Command
	sum.Notes = slices.DeleteFunc(sum.Notes, func(n string) bool { return strings.HasPrefix(n, c.Name+" is violated: ") })
	sum.Notes = append(sum.Notes, note)
}

// rowVerdict returns the verdict of a row with the given claims.
func rowVerdict(claims []checker.ClaimResult) checker.Verdict {
	tested, result := false, checker.Holds
	for _, c := range claims {
		tested = tested || c.Verdict != checker.NotClaimed
		switch c.Verdict {
		case checker.Violated:
			return checker.Violated
		case checker.Inconclusive:
			result = checker.Inconclusive
		}
	}
	if !tested {
		return checker.Inconclusive
	}
	return result
}
