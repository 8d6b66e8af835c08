package living

import (
	"fmt"
	"io"
	"strings"

	"contend/checker/conform"
	"contend/checker/live"
	"contend/checker/verify/console"
	"contend/model"
	"contend/traces"
)

// print prints a result for people.
func print(out io.Writer, p *model.Protocol, variant string, r *live.Result, f *liveFlags) error {
	var b strings.Builder
	name := p.Name
	if variant != "" {
		name += "/" + variant
	}
	v := r.Validation
	fmt.Fprintf(&b, "%s %s: %s for %v, with ticks of %v\n", name, traces.New(p, variant, r.Config, false, "", "").Config,
		console.Counted(r.Nodes, "process", "processes"), f.length, f.tick)
	if r.Interrupted {
		b.WriteString("interrupted: what follows is about the run until then\n")
	}
	fmt.Fprintf(&b, "faults: %s\n", tally(r.Tally))
	fmt.Fprintf(&b, "messages: %d, the longest took %.1f ticks\n", r.Delays.Messages, r.Delays.Longest)
	entries := console.Counted(v.Entries, "entry", "entries")
	switch v.Verdict {
	case conform.Explained:
		fmt.Fprintf(&b, "logs: explained: %s by a run of %s\n", entries, console.Counted(v.Steps, "step", "steps"))
	case conform.NotExplained:
		if r.Foreign != "" {
			fmt.Fprintf(&b, "logs: not explained: %s\n", console.Plain(r.Foreign))
			break
		}
		fmt.Fprintf(&b, "logs: not explained: the longest run found shows %d of %s\n", v.Prefix, entries)
	default:
		fmt.Fprintf(&b, "logs: inconclusive (%s): the longest run found shows %d of %s\n", v.Limit, v.Prefix, entries)
	}
	for i, s := range v.Stuck {
		if s.File, s.Entry = console.Plain(s.File), console.Plain(s.Entry); i < mostStuck {
			fmt.Fprintf(&b, "\n%s\n", s)
		}
	}
	if r.Untimely != "" {
		fmt.Fprintf(&b, "with its times it is no run of %s: %s\n", p.Name, r.Untimely)
	}
	for _, a := range r.Assumptions {
		fmt.Fprintf(&b, "an assumption did not hold: %s\n", a)
	}
	if r.Cut != "" {
		fmt.Fprintf(&b, "the claims are judged on the steps before: %s\n", r.Cut)
	}
	violations(&b, r)
	responses(&b, r)
	if f.dir != "" {
		fmt.Fprintf(&b, "the logs are in %s\n", console.Plain(f.dir))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// mostStuck is the largest number of unexplained entries that are printed.
const mostStuck = 2

// violations prints the first violation of each claim.
func violations(b *strings.Builder, r *live.Result) {
	seen := map[string]bool{}
	for _, v := range r.Violations {
		if seen[v.Claim] {
			continue
		}
		seen[v.Claim] = true
		fmt.Fprintf(b, "the run violates %s at step %d: %s", v.Claim, v.Step, v.Text)
		if r.Excused(v) {
			b.WriteString("; the claim assumes what did not hold")
		}
		b.WriteString("\n")
	}
	switch {
	case len(r.Judged) == 0:
		b.WriteString("no claim could be judged: each needs an assumption that this run does not meet\n")
	case len(seen) == 0:
		fmt.Fprintf(b, "the run violates none of: %s\n", strings.Join(r.Judged, ", "))
	}
}

// responses prints quantiles of response times.
func responses(b *strings.Builder, r *live.Result) {
	if len(r.Responses) == 0 {
		return
	}
	fmt.Fprintf(b, "%s returned:\n", console.Counted(len(r.Responses), "operation", "operations"))
	for _, share := range []float64{0.5, 0.9, 0.99, 1} {
		fmt.Fprintf(b, "  %3.0f %% within %6.1f ticks", 100*share, live.Quantile(r.Responses, share))
		if len(r.Predicted) > 0 {
			fmt.Fprintf(b, ", predicted %6.1f", live.Quantile(r.Predicted, share))
		}
		b.WriteString("\n")
	}
}

// tally counts the faults that happened.
func tally(t live.Tally) string {
	var all []string
	add := func(n int, one, more string) {
		if n > 0 {
			all = append(all, console.Counted(n, one, more))
		}
	}
	add(t.Restarts, "kill with a restart", "kills with a restart")
	add(t.Kills, "kill for good", "kills for good")
	add(t.Lost, "lost message", "lost messages")
	add(t.Dropped, "message dropped with its node or by a partition", "messages dropped with their nodes or by a partition")
	add(t.Late, "late message", "late messages")
	add(t.Partitions, "partition", "partitions")
	add(t.Lies, "lie", "lies")
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
