package minimizing

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"contend/checker/verify/tool"
	"contend/model"
	"contend/model/world"
	"contend/traces/page"
	"contend/traces/picture"
	"contend/traces/replay"
	"contend/traces/walk"
)

// mostTurning is the number of steps for which other continuations are tried.
const mostTurning = 20_000

// turning returns a sentence on the step that made a violation inevitable; "" for a cost, or if the goal is still
// reachable.
func turning(t *tool.Tool, p *model.Protocol, run *replay.Run) (string, error) {
	if run.Trace.Claim == "" {
		return "", nil
	}
	if !slices.ContainsFunc(run.World.Violations, func(v world.Violation) bool { return v.Claim == run.Trace.Claim }) {
		return pastGoal(run), nil
	}
	turn, err := walk.Turn(len(run.Trace.Steps), run.Trace.Claim, mostTurning, t.Interrupt, func(step int) (*walk.Walk, error) {
		return walk.Begin(p, run.Trace, tool.Watched(p), step)
	})
	return turn.String(), err
}

// pastGoal returns a sentence with the step after which the goal cannot be reached.
func pastGoal(run *replay.Run) string {
	switch after, known := run.Trace.NoReturn.Point(); {
	case !known:
		return ""
	case after == 0:
		return "It is inevitable from the beginning that the goal is missed."
	case run.Trace.NoReturn.AtLatest:
		return fmt.Sprintf("Step %d made it inevitable at the latest: the goal cannot be reached after it.", after)
	default:
		return fmt.Sprintf("Step %d made it inevitable: the goal cannot be reached after it.", after)
	}
}

// savePage writes the page of a run beside its trace. The turning point is the last sentence of the explanation.
func savePage(trace string, picture *picture.Picture, turning string) (path string, err error) {
	because := picture.Why
	if turning != "" {
		because.Sentences = append(slices.Clone(because.Sentences), turning)
	}
	var b bytes.Buffer
	if err := page.WriteParts(&b, picture.Trace, picture.Diagram, because, picture.Parts); err != nil {
		return "", err
	}
	path = strings.TrimSuffix(trace, ".json") + ".html"
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}
