package checking

import (
	"fmt"
	"io"

	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/traces"
	"contend/traces/page"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/why"
)

// surroundings returns where this run of the tool prints.
func surroundings(t *tool.Tool) report.Surroundings {
	r := &replayed{tool: t}
	return report.Surroundings{
		Out: t.Out, Err: t.Err, Status: t.Status,
		Show: func(protocol string, tr *traces.Trace) error {
			return why.Write(t.Out, r.must(protocol, tr), t.Style())
		},
		Page: func(w io.Writer, protocol string, tr *traces.Trace) error {
			return page.Write(w, r.must(protocol, tr))
		},
		Picture: func(tr *traces.Trace) *traces.Trace {
			if run, err := r.run(tr.Protocol, tr); err == nil {
				if with, err := picture.Record(run); err == nil {
					return with
				}
			}
			return tr
		},
		Why: func(protocol string, tr *traces.Trace) []string {
			return why.Explain(r.must(protocol, tr)).Short
		},
	}
}

// A replayed replays counterexamples. It caches the last one, since a report uses each several times.
type replayed struct {
	tool *tool.Tool
	last *replay.Run
	of   *traces.Trace
}

// run returns the run of a trace.
func (r *replayed) run(protocol string, tr *traces.Trace) (*replay.Run, error) {
	if r.of == tr {
		return r.last, nil
	}
	p, err := r.tool.Protocol(protocol)
	if err != nil {
		return nil, err
	}
	run, err := replay.Replay(p, tr, tool.Watched(p))
	if err == nil {
		r.last, r.of = run, tr
	}
	return run, err
}

// must returns the run of a trace that a check found. That it does not replay is a bug of the
// tool.
func (r *replayed) must(protocol string, tr *traces.Trace) *replay.Run {
	run, err := r.run(protocol, tr)
	if err != nil {
		panic(fmt.Errorf("a counterexample to %s does not replay: %w", tr.Claim, err))
	}
	return run
}
