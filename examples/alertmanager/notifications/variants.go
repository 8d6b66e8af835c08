package notifications

import (
	"slices"

	"contend/model"
)

var variants = slices.Concat(options, mutants)

// The options: assumptions under which the claims hold.
var options = []model.Variant{
	{
		Name: "distinct-clocks", Title: "no two readings of clocks are equal, of one replica or of two",
		Edit: distinct, Show: model.Check{Config: sized(3, 1)},
	},
	{
		Name: "relayed", Title: "distinct-clocks, and a replica gossips to the next one only: Merge passes on what is new",
		Edit: relayed, Show: model.Check{Config: sized(3, 1)},
	},
}

// The mutants are mistakes in what surrounds the library.
var mutants = []model.Variant{
	{
		Name: "no-relay", Title: "what Merge passes on goes nowhere, and a replica gossips to the next one only",
		Breaks: agreement, Show: model.Check{Config: sized(3, 1)},
		Edit: func(s *model.System) {
			relayed(s)
			s.Setup.(*Config).Merge = func(r *replica, entries []byte) error {
				r.Log.SetBroadcast(func([]byte) {})
				defer r.gossip()
				return r.Log.Merge(entries)
			}
		},
	},
	{
		Name: "joins-in-silence", Title: "a replica that comes up again asks nobody for what it has missed",
		Breaks: agreement, Show: model.Check{Config: restarted(sized(2, 1))},
		Edit: func(s *model.System) {
			distinct(s)
			s.Setup.(*Config).Join = func(*replica, model.Env) {}
		},
	},
	{
		Name: "last-arrival-wins", Title: "what comes replaces the log, as if it were a snapshot",
		Breaks: "entries never go back", Show: model.Check{Config: sized(2, 2)},
		Edit: func(s *model.System) {
			distinct(s)
			s.Setup.(*Config).Merge = func(r *replica, entries []byte) error {
				r.open(entries)
				return nil
			}
		},
	},
	{
		Name: "coarse-clock", Title: "the clock of a replica shows the same for two notifications, and its own entry is lost",
		Breaks: logged, Show: model.Check{Config: sized(2, 2)},
		Edit: func(s *model.System) {
			s.Setup.(*Config).Reading = func(env model.Env, _ int) int { return 1 + int(env.Self()) }
		},
	},
	{
		Name: "logs-what-it-hears", Title: "a replica that hears of a notification logs one of its own",
		Breaks: "only what was logged is known", Show: model.Check{Config: sized(2, 1)},
		Edit: func(s *model.System) {
			distinct(s)
			s.Setup.(*Config).Merge = func(r *replica, entries []byte) error {
				r.Clock.Reads++
				return r.Log.Log(receiver, group, []uint64{99}, nil, nil, 0)
			}
		},
	},
}

func distinct(s *model.System) {
	n := len(s.Nodes)
	s.Setup.(*Config).Reading = func(env model.Env, last int) int {
		return (last/n+1+env.Choose(2))*n + int(env.Self())
	}
}

func relayed(s *model.System) {
	distinct(s)
	cfg := s.Setup.(*Config)
	cfg.Gossips = func(self model.NodeID) []model.NodeID {
		return []model.NodeID{cfg.Replicas[(int(self)+1)%len(cfg.Replicas)]}
	}
}

var checks = []model.Check{
	{Config: sized(2, 1)},
	{Config: sized(3, 1)},
	{Variant: "distinct-clocks", Config: sized(3, 1)},
	{Variant: "distinct-clocks", Config: sized(2, 2)},
	{Variant: "distinct-clocks", Config: faulty(sized(3, 1), model.Faults{Duplication: 1})},
	{Variant: "distinct-clocks", Config: restarted(sized(2, 1))},
	{Variant: "relayed", Config: sized(3, 1)},
}

var deep = []model.Check{
	{Variant: "distinct-clocks", Config: restarted(sized(2, 2))},
	{Variant: "relayed", Config: sized(3, 2)},
	{Variant: "distinct-clocks", Config: faulty(sized(3, 1), model.Faults{Duplication: 2})},
}

func sized(replicas, notifications int) model.Config {
	return model.Config{N: replicas}.With(Notifications.Is(notifications))
}

func faulty(c model.Config, f model.Faults) model.Config {
	c.Faults = f
	return c
}

func restarted(c model.Config) model.Config { return faulty(c, model.Faults{Restarts: 1}) }
