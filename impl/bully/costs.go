package bully

import (
	"contend/impl/election"
	"contend/model"
)

const comparison = "SDX lecture, comparison of election algorithms"

// costed are the lecture's numbers. They are read in timed runs, since time-outs have no meaning in untimed
// runs.
var costed = []*model.Cost{onTime(election.Messages(comparison)), onTime(election.Sequential(comparison))}

func onTime(c *model.Cost) *model.Cost {
	c.Assumes = []model.Assumption{model.Timed}
	c.Check = model.Check{Reading: model.Grid}
	return c
}
