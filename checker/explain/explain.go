// Package explain replays a run that breaks a claim, and explains it, once for everybody who needs it: rows, tests,
// pages and stored traces.
package explain

import (
	"sync"

	"contend/checker/judge"
	"contend/model"
	"contend/traces"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/why"
)

// A Violation is a run that breaks a claim. It is replayed by the first call that needs the replay, and explained by
// the first call that needs the explanation. Goroutines may call its methods concurrently.
type Violation struct {
	Trace *traces.Trace // must not be changed

	run     func() (*replay.Run, error)
	why     func() (why.Explanation, error)
	picture func() (*picture.Picture, error)
}

// New returns the violation that a trace of a protocol has.
func New(p *model.Protocol, t *traces.Trace) *Violation {
	v := &Violation{Trace: t}
	v.run = sync.OnceValues(func() (*replay.Run, error) { return replay.Replay(p, t, judge.Watched(p.Statements())) })
	v.why = sync.OnceValues(func() (why.Explanation, error) {
		run, err := v.run()
		if err != nil {
			return why.Explanation{}, err
		}
		return why.Explain(run), nil
	})
	v.picture = sync.OnceValues(func() (*picture.Picture, error) {
		because, err := v.why()
		if err != nil {
			return nil, err
		}
		run, err := v.run()
		return picture.Explained(run, because), err
	})
	return v
}

// Run returns the replayed run. The error is that of [replay.Replay]: the trace is not a run that breaks its claim.
func (v *Violation) Run() (*replay.Run, error) { return v.run() }

// Why returns the explanation. The error is that of [Violation.Run].
func (v *Violation) Why() (why.Explanation, error) { return v.why() }

// Picture returns the run with its explanation, for text and pages. The error is that of [Violation.Run].
func (v *Violation) Picture() (*picture.Picture, error) { return v.picture() }

// Stored returns the trace with its picture, so that it can be shown without the protocol. It returns the trace
// alone if the picture cannot be made.
func (v *Violation) Stored() *traces.Trace {
	p, err := v.picture()
	if err != nil {
		return v.Trace
	}
	run, _ := v.run() // no error: there is a picture
	t, err := p.Record(run.World.System)
	if err != nil {
		return v.Trace
	}
	return t
}
