package checking

import (
	"fmt"
	"io"

	"contend/checker/verify/report"
	"contend/checker/verify/tool"
	"contend/traces"
	"contend/traces/page"
	"contend/traces/replay"
	"contend/traces/why"
)

// surroundings are where this run of the tool prints.
func surroundings(t *tool.Tool) report.Surroundings {
	return report.Surroundings{
		Out: t.Out, Err: t.Err, Status: t.Status,
		Show: func(protocol string, tr *traces.Trace) error {
			return why.Write(t.Out, counterexample(t, protocol, tr), t.Style())
		},
		Page: func(w io.Writer, protocol string, tr *traces.Trace) error {
			return page.Write(w, counterexample(t, protocol, tr))
		},
		Picture: t.Pictured,
		Why: func(protocol string, tr *traces.Trace) []string {
			return why.Explain(counterexample(t, protocol, tr)).Short
		},
	}
}

// counterexample is the run of a trace that a check found. That it does not replay is a bug of the
// tool.
func counterexample(t *tool.Tool, protocol string, tr *traces.Trace) *replay.Run {
	p, err := t.Protocol(protocol)
	if err != nil {
		panic(err)
	}
	run, err := replay.Replay(p, tr, tool.Watched(p))
	if err != nil {
		panic(fmt.Errorf("a counterexample to %s does not replay: %w", tr.Claim, err))
	}
	return run
}
