package membership

import (
	"slices"

	"contend/model"

	"github.com/hashicorp/memberlist"
)

var variants = slices.Concat(options, mutants)

// The options: options of the library, and of its environment.
var options = []model.Variant{
	{
		Name: "confirmed", Title: "a suspicion is passed on when another node confirms it (SuspicionMult 3, as in DefaultLocalConfig)",
		Edit: configured(func(c *memberlist.Config) { c.SuspicionMult = 3 }), Joins: true,
	},
	{
		Name: "late", Title: "the timer of a suspicion goes off though the suspicion is over: the library does not stop it",
		Edit: func(s *model.System) { s.Setup.(*Config).Late = true }, Joins: true,
	},
	{
		Name: "probed", Title: "every probe of a node that is down fails, for as long as it is taken for alive",
		Edit: func(s *model.System) {
			s.Detector = model.Detector{Kind: model.Perfect, Report: model.Anytime()}
		}, Joins: true, Show: model.Check{Config: crashing(sized(3, Probes.Is(0)), model.Faults{Crashes: 1})},
	},
	{
		Name: "synced", Title: "every node exchanges lists with one that it takes for alive, again and again (PushPullInterval)",
		Edit: func(s *model.System) { s.Setup.(*Config).Syncs = true }, Joins: true, Show: model.Check{Config: sized(2)},
	},
	{
		Name: "direct", Title: "what a node hears and passes on is lost: it gossips what it says itself",
		Edit: func(s *model.System) { s.Setup.(*Config).Direct = true }, Joins: true,
		Unclaimed: []string{known, agreed, departed, buried},
	},
	{
		Name: "joins-all", Title: "a node that comes up joins all others",
		Edit: func(s *model.System) {
			s.Setup.(*Config).Seeds = func(_ model.Env, others []model.NodeID) []model.NodeID { return others }
		}, Joins: true,
	},
	{
		Name: "joins-previous", Title: "a node that comes up joins the one before it, and the first one the last",
		Edit: func(s *model.System) {
			s.Setup.(*Config).Seeds = func(env model.Env, others []model.NodeID) []model.NodeID {
				return []model.NodeID{others[(int(env.Self())+len(others)-1)%len(others)]}
			}
		}, Joins: true,
	},
	{
		Name: "moving", Title: "a node that comes up again does so at another address",
		Unclaimed: []string{grow, raised, outweighs},
		Edit: scripted(func(op model.Op) []model.Op {
			if op.Call == any(Reboot{}) {
				op.Call = Reboot{Moves: moved}
			}
			return []model.Op{op}
		}), Joins: true,
	},
	{
		Name: "slow", Title: "a process that ends is gone for a while, and what comes is lost, until the next one starts",
		Edit: scripted(func(op model.Op) []model.Op {
			if op.Call == any(Reboot{}) {
				return slices.Concat(ops(End{}, 1), []model.Op{op})
			}
			return []model.Op{op}
		}), Joins: true,
	},
	{
		Name: "torn", Title: "a message may come between the two halves of Leave, which holds no lock there",
		Edit: func(s *model.System) {
			s.Setup.(*Config).Leave = func(m *member, env model.Env) {
				m.LeavesIn = m.List.LeaveFirst()
				env.After(Leaving{}, model.Anytime())
			}
		}, Joins: true,
	},
}

// The mutants are mistakes in what surrounds the library.
var mutants = []model.Variant{
	{
		Name: "joins-nobody", Title: "a node that comes up joins nobody", Breaks: known, Show: model.Check{Config: sized(2, Reboots.Is(1))},
		Edit: func(s *model.System) {
			s.Setup.(*Config).Seeds = func(model.Env, []model.NodeID) []model.NodeID { return nil }
		},
	},
	{
		Name: "probed-once", Title: "a node that is down is not probed again", Breaks: buried,
		Show: model.Check{Config: crashing(sized(3), model.Faults{Crashes: 1})},
		Edit: func(s *model.System) { s.Detector = model.Detector{} },
	},
	{
		Name: "passes-nothing-on", Title: "what a node hears and passes on is lost", Breaks: known,
		Show: model.Check{Config: sized(3, Reboots.Is(1))},
		Edit: func(s *model.System) { s.Setup.(*Config).Direct = true },
	},
	{
		Name: "joins-and-goes", Title: "a node that comes up does not wait for the answer of the one that it joins", Breaks: known,
		Show: model.Check{Config: sized(2, Reboots.Is(1))},
		Edit: func(s *model.System) { s.Setup.(*Config).Deaf = true },
	},
	{
		Name: "leaves-in-silence", Title: "a node that leaves does not tell", Breaks: leaver,
		Show: model.Check{Config: sized(2, Probes.Is(0), Leaves.Is(1))},
		Edit: func(s *model.System) { s.Setup.(*Config).Leave = func(*member, model.Env) {} },
	},
}

func configured(edit func(*memberlist.Config)) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Config).Options = edit }
}

func scripted(edit func(model.Op) []model.Op) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			var all []model.Op
			for _, op := range s.Nodes[i].Script {
				all = append(all, edit(op)...)
			}
			s.Nodes[i].Script = all
		}
	}
}
