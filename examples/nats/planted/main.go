// Planted plants bugs in nats-server, one at a time. It measures how soon sampled schedules catch each bug:
//
//	go run ./planted                     all, in a table
//	go run ./planted block-unsynced      these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

const nats = "github.com/nats-io/nats-server/v2"

// one returns a bug of one server.
func one(name, models, bounds, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: nats, Row: "jetstream/careful " + bounds,
		Edits: []plant.Edit{{File: "server/filestore.go", Old: old, New: new}}}
}

var bugs = []trial.Bug{
	{Name: "purge-unsynced", Models: "a purge is not synced", Module: nats + "@v2.15.3", Row: "jetstream/always --restarts 2", Only: "what was removed stays removed"},
	{Name: "purge-starts-anew", Models: "a purge that a crash interrupts leaves no file (#7676)", Module: nats + "@v2.12.1",
		Row: "jetstream/careful --restarts 2 --slow 5 --calls 28", Only: "sequences grow"},
	one("block-unsynced", "messages are not synced", "--restarts 2",
		"if mb.fs.syncAlways.Load() {\n\t\tif err = mb.mfd.Sync(); err != nil {", "if mb.fs.syncAlways.Load() {\n\t\tif err != nil {"),
	one("removal-unwritten", "the removal of a message is not written", "--restarts 2",
		"if err := lmb.writeTombstone(seq, ts); err != nil {", "if _ = lmb; err != nil {"),
	one("torn-end-kept", "the torn end of a file is not cut off", "--restarts 2 --slow 5",
		"if err := fd.Truncate(int64(index)); err != nil {", "if err := error(nil); err != nil {"),
	{Name: "raft-log-unsynced", Models: "the log of a replica is not synced", Module: nats, Row: "cluster/always --restarts 3",
		Edits: []plant.Edit{{File: "server/jetstream_cluster.go",
			Old: "BlockSize: defaultMediumBlockSize, AsyncFlush: false, SyncAlways: opts.SyncAlways,", New: "BlockSize: defaultMediumBlockSize, AsyncFlush: false,"}}},
	{Name: "old-log-wins", Models: "a server votes for a candidate with an older log", Module: nats, Row: "cluster/always --restarts 2 --partitions 1",
		Edits: []plant.Edit{{File: "server/raft.go",
			Old: "if voteOk && (vr.lastTerm > n.pterm || vr.lastTerm == n.pterm && vr.lastIndex >= n.pindex) {", New: "if voteOk {"}}},
}
