package variant

import "contend/model"

// Faulty returns a configuration with faults.
func Faulty(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}

// Beyond returns a check with faults that the claims assume away: one fault beyond what the source of a protocol tolerates.
func Beyond(c model.Config, f model.Faults) model.Check {
	return model.Check{Config: Faulty(c, f), AssumeAnyway: true}
}

// BeyondInTime returns the check of [Beyond] in which time passes in ticks.
func BeyondInTime(c model.Config, f model.Faults) model.Check {
	check := Beyond(c, f)
	check.Reading = model.Grid
	return check
}
