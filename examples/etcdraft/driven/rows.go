package main

import (
	"fmt"

	"contend/examples/etcdraft/traced"
	"contend/model"
)

// rows are the configurations whose whole state spaces are driven. Each is small, and they differ in what may happen.
var rows = []model.Config{
	sized(3, 1, 1, 0),
	restarting(sized(2, 2, 1, 0)),
	restarting(sized(2, 1, 2, 1).With(traced.PerMessage.Is(1))),
	sized(2, 2, 1, 1),
	sized(2, 2, 2, 0),
	restarting(sized(2, 1, 2, 0).With(traced.Changes.Is(1))),
	sized(2, 1, 1, 0).With(traced.Changes.Is(2)),
	sized(2, 1, 1, 1).With(traced.Ticks.Is(1)),
	sized(3, 1, 1, 0).With(traced.Uneven.Is(1)),
}

func sized(n, candidates, campaigns, proposals int) model.Config {
	return model.Config{N: n}.With(traced.Candidates.Is(candidates), traced.Campaigns.Is(campaigns), traced.Proposals.Is(proposals))
}

func restarting(c model.Config) model.Config {
	c.Faults.Restarts = 1
	return c
}

// boundsOf returns a configuration as flags, without defaults.
func boundsOf(c model.Config) string {
	text := fmt.Sprintf("-n %d", c.N)
	for _, p := range traced.Exact.Params[1:] { // those besides n
		d := p.Declared()
		if v, set := c.Setting(d.Name); set && v != d.Default {
			text += fmt.Sprintf(" %s %d", d.Flag(), v)
		}
	}
	if c.Faults.Restarts > 0 {
		text += fmt.Sprintf(" --restarts %d", c.Faults.Restarts)
	}
	return text
}
