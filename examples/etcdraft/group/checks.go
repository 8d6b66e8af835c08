package group

import "contend/model"

var checks = []model.Check{
	{Config: model.Config{N: 1, Faults: model.Faults{Restarts: 1}}.With(Reads.Is(1), Campaigns.Is(2))},
	{Config: model.Config{N: 2}},
}

var deep = []model.Check{}
