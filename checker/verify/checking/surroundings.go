package checking

import (
	"contend/checker/verify/report"
	"contend/checker/verify/tool"
)

// surroundings returns the outputs of the tool.
func surroundings(t *tool.Tool) report.Surroundings {
	return report.Surroundings{Out: t.Out, Err: t.Err, Status: t.Status, Protocol: t.Protocol, Style: t.Style}
}
