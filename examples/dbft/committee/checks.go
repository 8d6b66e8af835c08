package committee

import "contend/model"

// checks are the checks that the command runs without arguments. They take seconds.
var checks = []model.Check{
	{Config: struck(model.Faults{}, Views.Is(1), Timeouts.Is(0))},
	{Config: struck(model.Faults{}, Views.Is(1), Timeouts.Is(0)), Claims: []string{possible}},
	{Variant: "unhelped+abstract", Config: struck(model.Faults{Crashes: 1}, Views.Is(1), Timeouts.Is(0))},
	{Variant: "unhelped", Config: lied(0, Views.Is(1), Timeouts.Is(0)), Claims: []string{agreement}},
	{Variant: "unhelped", Config: lied(0, Views.Is(1), Timeouts.Is(0)), Claims: []string{validity}},
	{Variant: "weeded+unhelped+abstract", Config: lied(0, Views.Is(1), Timeouts.Is(0))},
	{Variant: "weeded+unhelped+abstract", Config: lied(1, Views.Is(1), Timeouts.Is(0))},
	{Variant: "weeded+unhelped+abstract", Config: lied(1, Views.Is(1), Timeouts.Is(0)), Claims: []string{possible}},
}

// deep are checks of minutes.
var deep = []model.Check{
	{Variant: "unhelped+abstract", Config: struck(model.Faults{Loss: 1}, Views.Is(1), Timeouts.Is(0))},
	{Variant: "persisted+unhelped+abstract", Config: struck(model.Faults{Restarts: 1}, Views.Is(1), Timeouts.Is(0)), Claims: []string{agreement, once}},
	{Variant: "unhelped+abstract", Config: struck(model.Faults{Restarts: 2}, Views.Is(1), Timeouts.Is(0)), Claims: []string{once}},
	{Variant: "weeded+unhelped+abstract", Config: lied(0), Claims: []string{goesOn}},
}

// struck returns a configuration without a liar.
func struck(f model.Faults, settings ...model.Setting) model.Config {
	return model.Config{N: 4, Faults: f}.With(settings...)
}

// lied returns a configuration with a liar.
func lied(index int, settings ...model.Setting) model.Config {
	return model.Config{N: 4, B: 1}.With(append(settings, Liar.Is(index))...)
}
