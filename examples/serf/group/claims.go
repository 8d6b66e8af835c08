package group

import (
	"contend/model"
	"contend/program"
)

// Time limits of the claims, in milliseconds.
const (
	joins  = 10_000
	leaves = 4000
	hears  = 1500
)

// The names of claims that are violated in some rows.
const (
	listed = "if one of two nodes that are up lists the other, both do in time"
	failed = "who leaves is not listed as failed"
	during = "no event from before the end of a stop is delivered again"
)

var (
	timed = []model.Assumption{model.Timed, model.NoPartition}
	calm  = []model.Assumption{model.Timed, model.NoLoss, model.NoPartition, model.NoCrash, model.NoMemoryLoss}
)

func isAlive(status string) bool { return status == "alive" }

func isLeft(status string) bool { return status == "left" || status == "" }

var claimed = []model.Claim{
	{Name: "an event is delivered once", Kind: model.Always, Source: source + `, Config.EventBuffer: "used to prevent re-delivery of events to a client"`,
		Monitor: func(*model.System) model.Monitor { return &once{Has: map[model.NodeID][]delivery{}} }},
	{Name: "no event of the snapshot is delivered", Kind: model.Always, Source: source + `, Config.SnapshotPath: "will also avoid replaying old user events"`,
		Monitor: func(*model.System) model.Monitor { return &old{Clock: map[model.NodeID]int{}} }},
	{Name: "no event from before a stop is delivered again", Kind: model.Always, Source: source + ", Config.SnapshotPath and RejoinAfterLeave",
		Monitor: func(s *model.System) model.Monitor { return newReplays(s, false) }},
	{Name: during, Kind: model.Always, Source: source + ", Config.SnapshotPath and RejoinAfterLeave",
		Monitor: func(s *model.System) model.Monitor { return newReplays(s, true) }},
	{Name: "clocks do not go back", Kind: model.Always, Source: source + `, snapshot.go: "restore our clock values"`,
		Monitor: func(*model.System) model.Monitor {
			return &grows{Clock: map[model.NodeID]int{}, Events: map[model.NodeID]int{}}
		}},
	{Name: failed, Kind: model.Always, Source: source + `, Leave: "gracefully exits the cluster"`, Assumes: calm,
		Monitor: func(s *model.System) model.Monitor {
			return &leavers{World: newWorld(s), Leave: map[model.NodeID]bool{}}
		}},
	{Name: "who has left is listed as left in time", Kind: model.Always, Source: source + ", Leave and LeavePropagateDelay", Assumes: calm,
		Monitor: inTime(leaves, false, "has left", func(w *world, p pair) bool { return w.Up[p.By] && w.Left[p.Of] }, isLeft)},
	{Name: "who is forced to leave is listed as left in time", Kind: model.Always, Source: source + `, forceLeave: "forcibly removes a failed node from the cluster"`, Assumes: calm,
		Monitor: inTime(leaves, false, "was forced to leave", func(w *world, p pair) bool { return w.Up[p.By] && w.Forced[p.Of] }, isLeft)},
	{Name: listed, Kind: model.Always, Source: source + `, Config.SnapshotPath: "it will attempt to join all the previously known nodes"`, Assumes: timed,
		Monitor: inTime(joins, true, "is up as well", func(w *world, p pair) bool {
			return w.Up[p.By] && w.Up[p.Of] && !(isLeft(w.Lists[p]) && isLeft(w.Lists[pair{p.Of, p.By}]))
		}, isAlive)},
	{Name: "events reach all in time", Kind: model.Always, Source: source + ", UserEvent", Assumes: calm,
		Monitor: func(s *model.System) model.Monitor {
			return &reaches{World: newWorld(s), By: map[delivery]map[model.NodeID]bool{}}
		}},
	{Name: "all list each other, and an event is delivered", Kind: model.Sometimes,
		Monitor: func(s *model.System) model.Monitor { return &acquainted{World: newWorld(s)} }},
}

func inTime(within model.Ticks, anew bool, what string, owes func(*world, pair) bool, lists func(string) bool) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor {
		return &timely{World: newWorld(s), Due: map[pair]bool{}, within: within, anew: anew, owes: owes, lists: lists, what: what}
	}
}

func newReplays(s *model.System, during bool) *replays {
	return &replays{during: during, fails: program.FullDisks.Of(s.Config)+program.BadSyncs.Of(s.Config) > 0,
		Now: map[model.NodeID][]delivery{}, Before: map[model.NodeID][]delivery{}, Kept: map[model.NodeID][]delivery{}}
}
