// Package record reads the findings of a protocol: known violations, with their conditions.
//
// A finding excuses a violation only under its conditions. A bug that breaks the same claim under other
// conditions, such as without the fault that the finding needs, is a violation like any other.
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

// Covers reports whether a finding excuses a violation in the configuration is; least is the configuration of
// the finding's trace.
func Covers(is model.Config, f model.Finding, least model.Config) bool {
	return !slices.ContainsFunc(f.Holds, is.Matches) && (is.Covers(least) || slices.ContainsFunc(f.Breaks, is.Covers))
}

// Reproduce replays the stored trace of a finding, and returns the trace. The error is a mismatch of trace and
// finding, or a failed replay.
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

// Refuted reports whether a finding breaks a claim in a configuration. A finding of the protocol as printed
// counts for its variants too.
func Refuted(p *model.Protocol, claim, variant string, c model.Config) bool {
	return slices.ContainsFunc(p.Findings, func(f model.Finding) bool {
		if f.Claim != claim || f.Variant != "" && f.Variant != variant {
			return false
		}
		least, err := traceConfig(f)
		return err == nil && Covers(p.Spelled(c), f, p.Spelled(least))
	})
}

// configurations memoizes leastOf, by the address of the trace: each run of a fuzz target calls leastOf.
var configurations sync.Map // *byte → model.Config

// traceConfig returns the configuration of a finding's trace.
func traceConfig(f model.Finding) (model.Config, error) {
	if len(f.Trace) == 0 {
		return model.Config{}, io.EOF
	}
	key := &f.Trace[0]
	if is, ok := configurations.Load(key); ok {
		return is.(model.Config), nil
	}
	kept, err := traces.Read(bytes.NewReader(f.Trace))
	if err != nil {
		return model.Config{}, err
	}
	is := kept.Config.Model()
	configurations.Store(key, is)
	return is, nil
}
