package notifications

import (
	"contend/model"
)

var variants = []model.Variant{
	{
		Name: "distinct-clocks", Title: "no two readings of clocks are equal, of one replica or of two",
		Edit: func(s *model.System) {
			n := len(s.Nodes)
			s.Setup.(*Config).Reading = func(env model.Env, last int) int {
				return (last/n+1+env.Choose(2))*n + int(env.Self())
			}
		},
	},
}

var checks = []model.Check{
	{Config: model.Config{N: 2}},
	{Config: model.Config{N: 3}},
	{Variant: "distinct-clocks", Config: model.Config{N: 3}.With(Notifications.Is(2))},
}

var deep []model.Check
