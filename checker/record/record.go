// Package record reads the findings of a protocol: what is on record as broken, and where.
//
// A finding excuses a violation only under the conditions on its record. A bug that breaks the
// same claim under other conditions, such as without the fault that the finding needs, is a
// violation like any other.
package record

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

// Covers reports whether a finding excuses a violation in a configuration; its kept trace has the configuration least.
func Covers(is model.Config, f model.Finding, least model.Config) bool {
	return !slices.ContainsFunc(f.Holds, is.Matches) && (is.Covers(least) || slices.ContainsFunc(f.Breaks, is.Covers))
}

// Reproduce replays the kept trace of a finding, and returns it.
func Reproduce(p *model.Protocol, f model.Finding) (*traces.Trace, error) {
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

// Refuted reports whether a claim is known to break in a configuration, by what is on record.
// A finding of the protocol as printed counts for its variants too.
func Refuted(p *model.Protocol, claim, variant string, c model.Config) bool {
	return slices.ContainsFunc(p.Findings, func(f model.Finding) bool {
		if f.Claim != claim || f.Variant != "" && f.Variant != variant {
			return false
		}
		least, err := leastOf(f)
		return err == nil && Covers(p.Spelled(c), f, p.Spelled(least))
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
