// Planted plants bugs in Serf and in the program around it, one at a time. It measures how soon sampled schedules catch each bug:
//
//	go run ./planted                       all, in a table
//	go run ./planted replays-events        these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

// library returns a bug in a file of the library.
func library(file, name, models, row, only, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: "github.com/hashicorp/serf", Row: row, Only: only,
		Edits: []plant.Edit{{File: "serf/" + file, Old: old, New: new}}}
}

// glue returns a mistake of the program. It is a variant of the protocol.
func glue(name, models, bounds, only string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Row: "serf/" + name + bounds, Only: only}
}

// The claims that several bugs violate.
const (
	again  = "no event from before a stop is delivered again"
	listed = "if one of two nodes that are up lists the other, both do in time"
	failed = "who leaves is not listed as failed"
)

var bugs = []trial.Bug{
	library("serf.go", "replays-events", "a node that starts does not ignore the events of its snapshot", "serf --leaves 1", "no event of the snapshot is delivered",
		"serf.eventMinTime = oldEventClock + 1", "serf.eventMinTime = 0"),
	library("serf.go", "delivers-again", "an event that was seen is delivered again", "serf", "an event is delivered once",
		"if previous.Equals(&userEvent) {", "if false && previous.Equals(&userEvent) {"),
	library("serf.go", "clock-at-zero", "a node that starts does not restore its clock", "serf --leaves 1", "clocks do not go back",
		"serf.clock.Witness(oldClock)", "_ = oldClock"),
	library("snapshot.go", "event-clock-unwritten", "the snapshot does not get the clock of events", "serf --leaves 1", again,
		"s.tryAppend(fmt.Sprintf(\"event-clock: %d\\n\", e.LTime))", ""),
	library("snapshot.go", "shutdown-unflushed", "Shutdown does not flush the snapshot", "serf --kills 1 --away 8000", again,
		"if err := s.buffered.Flush(); err != nil {\n				s.logger.Printf(\"[ERR] serf: failed to flush snapshot", "if err := error(nil); err != nil {\n				s.logger.Printf(\"[ERR] serf: failed to flush snapshot"),
	library("serf.go", "leave-ignored", "a node that hears that another leaves ignores it", "serf --leaves 1", failed,
		"	case StatusAlive:\n		member.Status = StatusLeaving\n", "	case StatusAlive:\n"),
	library("serf.go", "force-ignored", "a node that has failed is not forced to leave", "serf --kills 1 --away 8000", "who is forced to leave is listed as left in time",
		"	case StatusFailed:\n		member.Status = StatusLeft\n", "	case StatusFailed:\n"),
	library("serf.go", "unrefuted", "a node that returns does not refute its leave", "serf --leaves 1", listed,
		"leaveMsg.Node == s.config.NodeName && state == SerfAlive", "false && state == SerfAlive"),
	library("serf.go", "event-kept", "an event is not broadcast", "serf", "events reach all in time",
		"	s.eventBroadcasts.QueueBroadcast(&broadcast{\n		msg: raw,\n	})\n	return nil", "	return nil"),
	{Name: "compacts-early", Models: "snapshots are compacted after 64 bytes, as large snapshots are", Module: "github.com/hashicorp/serf",
		Edits: []plant.Edit{{File: "serf/serf.go", Old: "snapshotSizeLimit  = 128 * 1024", New: "snapshotSizeLimit  = 64"},
			{File: "serf/snapshot.go", Old: "snapshotBytesPerNode = 128", New: "snapshotBytesPerNode = 8"}},
		Row: "serf --leaves 1 --restarts 1", Only: again},
	glue("joins-anew", "a node that returns removes its snapshot, and joins another", " --leaves 1", again),
	glue("leaves-in-silence", "a node that leaves does not tell", " --leaves 1", failed),
}
