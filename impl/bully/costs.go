package bully

import (
	"contend/impl/election"
	"contend/model"
)

const comparison = "SDX lecture, comparison of election algorithms"

// costed are the lecture's numbers. They are read where time is kept, as the time-outs mean nothing
// otherwise.
var costed = []*model.Cost{onTime(election.Messages(comparison)), onTime(election.Sequential(comparison))}

func onTime(c *model.Cost) *model.Cost {
	c.Assumes = []model.Assumption{model.Timed}
	c.Check = model.Check{Reading: model.Grid}
	return c
}
