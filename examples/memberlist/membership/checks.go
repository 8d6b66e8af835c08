package membership

import "contend/model"

// checks are the checks that the command runs without arguments. They take seconds.
var checks = []model.Check{
	{Config: sized(2, Leaves.Is(1))},
	{Config: sized(2, Probes.Is(0), Leaves.Is(1), Reboots.Is(1)), Claims: []string{known}},
	{Config: sized(3, Leaves.Is(1)), Claims: []string{agreed}},
	{Variant: "torn", Config: sized(2, Leaves.Is(1)), Claims: []string{leaver}},
	{Variant: "moving", Config: sized(2, Probes.Is(0), Leaves.Is(1), Reboots.Is(1)), Claims: []string{known}},
	{Variant: "moving", Config: sized(2, Probes.Is(0), Leaves.Is(2), Reboots.Is(1)), Claims: []string{departed}},
}

// deep are checks of up to a minute each.
var deep = []model.Check{
	{Config: sized(2, Probes.Is(2))},
	{Config: sized(3)},
	{Config: sized(3, Probes.Is(2)), Claims: append([]string{known, agreed}, safe...)},
	{Config: sized(3, Reboots.Is(1))},
	{Config: sized(3, Reaps.Is(1), Syncs.Is(1))},
	{Config: sized(3, Leaves.Is(1), Reboots.Is(1)), Claims: safe},
	{Config: sized(3, Leaves.Is(1), Syncs.Is(2)), Claims: safe},
	{Variant: "confirmed", Config: sized(3, Probes.Is(2)), Claims: safe},
	{Variant: "late", Config: sized(2, Probes.Is(3))},
	{Variant: "slow", Config: sized(3, Reboots.Is(1))},
	{Variant: "probed", Config: crashing(sized(3), model.Faults{Crashes: 1}), Claims: append([]string{buried, agreed}, safe...)},
	{Variant: "synced", Config: sized(2, Probes.Is(0), Leaves.Is(1), Reboots.Is(1))},
	{Variant: "joins-all", Config: sized(3, Probes.Is(0), Reboots.Is(2))},
	{Variant: "slow+joins-previous", Config: sized(3, Reboots.Is(1), Reaps.Is(1)), Claims: []string{known}},
}

// safe are the claims of single steps that hold everywhere.
var safe = []string{refutes, spared, grow, raised, made}

func sized(n int, settings ...model.Setting) model.Config {
	return model.Config{N: n}.With(settings...)
}

func crashing(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}
