package verify

import (
	"fmt"

	"github.com/spf13/cobra"

	"contend/checker/verify/report"
)

func (t *tool) runCommand() *cobra.Command {
	var f checkFlags
	c := t.verb(cobra.Command{
		Use:   "run PROTOCOL[/VARIANT]...",
		Short: "sample schedules of one configuration",
		Long: `Run samples schedules, with real-valued times unless --time is untimed. It finds
violations; that it finds none proves nothing, and the verdict is inconclusive.
One seed gives one and the same result, on every machine.

` + exitCodes,
		Example: `  verify run backoff -n 6 -b 1 --tries 3 --schedules 10000
  verify run backoff/lease-delta -n 1 --seed 7`,
		ValidArgsFunction: t.complete,
	}, func(args []string) (int, error) {
		if len(args) == 0 {
			return 0, fmt.Errorf("run needs a protocol; verify list names them")
		}
		if f.strategy.Strategy == "exhaustive" {
			return 0, fmt.Errorf("--strategy is exhaustive, but run samples; verify check searches exhaustively")
		}
		targets, err := t.targets(args)
		if err != nil {
			return 0, err
		}
		if targets, err = withClaims(targets, f.config.Claims); err != nil {
			return 0, err
		}
		var jobs []report.Job
		for _, at := range targets {
			j, err := f.one(at)
			if err != nil {
				return 0, err
			}
			jobs = append(jobs, j)
		}
		if err := report.Validate(jobs); err != nil {
			return 0, err
		}
		if err := f.effective(jobs); err != nil {
			return 0, err
		}
		return t.decide(jobs, &f)
	})
	f.bind(c, t.suite, "random")
	return c
}
