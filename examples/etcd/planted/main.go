// Planted plants bugs in etcd's server, its log, its backend and its Raft, one at a time. It measures how soon sampled schedules catch each bug:
//
//	go run ./planted                 all, in a table
//	go run ./planted wal-unsynced    these
//
// The repository contains no code of the libraries but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

const (
	server = "go.etcd.io/etcd/server/v3"
	raft   = "go.etcd.io/raft/v3"
	bbolt  = "go.etcd.io/bbolt"
)

func bug(module, file, name, models, row, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: module, Edits: []plant.Edit{{File: file, Old: old, New: new}}, Row: row}
}

var bugs = []trial.Bug{
	bug(server, "storage/wal/wal.go", "wal-unsynced", "the log is not synced", "etcd --restarts 2",
		"err := fileutil.Fdatasync(w.tail().File)", "err := error(nil)"),
	bug(server, "etcdserver/server.go", "index-ahead", "the backend has an index that is one too high: a restart skips an entry", "etcd --restarts 2 --slow 5 --calls 16",
		"s.consistIndex.SetConsistentIndex(applyingIdx, applyingTerm)", "s.consistIndex.SetConsistentIndex(applyingIdx+1, applyingTerm)"),
	bug(server, "etcdserver/server.go", "applied-twice", "a restart applies an entry that the backend has", "etcd --restarts 2",
		"if e.GetIndex() > index {", "if e.GetIndex() >= index {"),
	bug(server, "etcdserver/v3_server.go", "read-unchecked", "a read does not ask for the read index", "etcd -n 3",
		"\t\terr = s.read.LinearizableReadNotify(ctx)", "\t\terr = nil"),
	bug(raft, "quorum/majority.go", "commit-alone", "the leader alone commits", "etcd -n 3 --restarts 2", "pos := n - (n/2 + 1)", "pos := n - 1"),
	bug(raft, "raft.go", "vote-twice", "a server that has voted votes again", "etcd -n 3 --restarts 1 --partitions 1", "canVote := r.Vote == m.GetFrom() ||", "canVote := true ||"),
	bug(server, "storage/wal/wal.go", "state-unsaved", "the term and the vote are not in the log", "etcd -n 3 --restarts 2",
		"if err := w.saveState(st); err != nil {", "if err := error(nil); err != nil {"),
	bug(server, "etcdserver/server.go", "snapshot-uncommitted", "the backend is not committed before a snapshot of Raft is saved", "etcd --restarts 2 --calls 30",
		"\t\ts.KV().Commit()\n", "\n"),
	{Name: "backend-unsynced", Models: "a commit of bbolt is not synced", Module: bbolt, Row: "etcd --restarts 2 --slow 5 --calls 30", Edits: []plant.Edit{
		{File: "tx.go", Old: "beforeSyncDataPages struct{}\n\t\tif err := fdatasync(tx.db)", New: "beforeSyncDataPages struct{}\n\t\tif err := error(nil)"},
		{File: "tx.go", Old: "beforeSyncMetaPage struct{}\n\t\tif err := fdatasync(tx.db)", New: "beforeSyncMetaPage struct{}\n\t\tif err := error(nil)"}}},
	{Name: "unfenced", Models: "the holder of a lock makes its change without a comparison of revisions", Row: "etcdlocks/unfenced --partitions 1"},
}
