package checker

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
	"contend/traces/replay"
)

// A finding excuses a violation only under the conditions on its record. A bug that breaks the
// same claim under other conditions, such as without the fault that the finding needs, is a
// violation like any other.

// recognise marks the violations of a row that are recorded findings. Two things are violations
// of their own, since either the protocol or the record is wrong: a finding whose kept trace does
// not reproduce, and a claim that holds at the very configuration of that trace.
func recognise(p *model.Protocol, row *Row) {
	for i := range row.Claims {
		c := &row.Claims[i]
		if c.Verdict == NotClaimed || len(c.Unmet) > 0 {
			continue
		}
		for _, f := range p.Findings {
			if f.Claim != c.Name || f.Variant != row.Variant {
				continue
			}
			kept, err := reproduced(p, f)
			if err != nil {
				c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s does not reproduce: %v", f.Name, err)
				break
			}
			mark(p, row, c, f, kept)
		}
	}
}

// mark says of a claim's result what the record of a finding makes of it.
func mark(p *model.Protocol, row *Row, c *ClaimResult, f model.Finding, kept *traces.Trace) {
	is, least := row.Config.Config, p.Spelled(kept.Config.Model())
	is.Faults = row.Faults
	is = p.Spelled(is)
	switch expected := covered(is, f, least); {
	case c.Verdict == Violated && expected:
		c.Finding, c.Unrecorded = f.Name, ""
	case c.Verdict == Violated && c.Finding == "":
		c.Unrecorded = f.Name
	case c.Verdict == Holds && is.Matches(least) && least.Matches(is) && kept.Timed() == (row.Time != model.Untimed.String()):
		c.Verdict, c.Text = Violated, fmt.Sprintf("the recorded finding %s says that it breaks in this configuration, but it holds", f.Name)
	case c.Verdict == Holds && expected:
		c.excused = f.Name
	}
}

// covered reports whether a configuration meets the conditions of a finding, whose kept trace has
// the configuration least.
func covered(is model.Config, f model.Finding, least model.Config) bool {
	return !slices.ContainsFunc(f.Holds, is.Matches) && (is.Covers(least) || slices.ContainsFunc(f.Breaks, is.Covers))
}

// Reproduce replays the kept trace of a finding.
func Reproduce(p *model.Protocol, f model.Finding) error {
	_, err := reproduced(p, f)
	return err
}

// reproduced replays the kept trace of a finding, and returns it.
func reproduced(p *model.Protocol, f model.Finding) (*traces.Trace, error) {
	t, err := traces.Read(bytes.NewReader(f.Trace))
	if err != nil {
		return nil, err
	}
	if t.Protocol != p.Name || t.Variant != f.Variant || t.Claim != f.Claim {
		return nil, fmt.Errorf("its trace is of %s/%s, claim %q", t.Protocol, t.Variant, t.Claim)
	}
	_, err = replay.Replay(p, t, judge.Watched(p.Statements()))
	return t, err
}

// refuted reports whether a claim is known to break in a configuration, by what is on record.
// A finding of the protocol as printed counts for its variants too.
func refuted(p *model.Protocol, claim, variant string, c model.Config) bool {
	return slices.ContainsFunc(p.Findings, func(f model.Finding) bool {
		if f.Claim != claim || f.Variant != "" && f.Variant != variant {
			return false
		}
		least, err := leastOf(f)
		return err == nil && covered(p.Spelled(c), f, p.Spelled(least))
	})
}

// leasts remembers what leastOf has read, by the place of the trace in memory: each run of a fuzz target asks.
var leasts sync.Map // *byte → model.Config

// leastOf is the configuration of a finding's kept trace.
func leastOf(f model.Finding) (model.Config, error) {
	if len(f.Trace) == 0 {
		return model.Config{}, io.EOF
	}
	key := &f.Trace[0]
	if is, ok := leasts.Load(key); ok {
		return is.(model.Config), nil
	}
	kept, err := traces.Read(bytes.NewReader(f.Trace))
	if err != nil {
		return model.Config{}, err
	}
	is := kept.Config.Model()
	leasts.Store(key, is)
	return is, nil
}
