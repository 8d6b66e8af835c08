// Planted plants bugs in the stores and in the servers around them, one at a time. It measures how soon sampled
// schedules catch each bug:
//
//	go run ./planted                     all, in a table
//	go run ./planted journal-unsynced    these
//
// The repository contains no code of the libraries but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

const goleveldb = "github.com/syndtr/goleveldb"

// leveldb returns a bug in a file of goleveldb.
func leveldb(file, name, models, bounds, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: goleveldb, Edits: []plant.Edit{{File: "leveldb/" + file, Old: old, New: new}},
		Row: "goleveldb/recovers --restarts 2" + bounds}
}

// in returns a bug in a file of a module.
func in(module, file, name, models, row, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: module, Edits: []plant.Edit{{File: file, Old: old, New: new}}, Row: row}
}

const (
	bbolt  = "go.etcd.io/bbolt"
	pebble = "github.com/cockroachdb/pebble/v2"
	badger = "github.com/dgraph-io/badger/v4"

	inAnyOrder = "bbolt/careful --restarts 2 --slow 5 --calls 28 --reordered 1" // writes that were not synced survive
)

var bugs = []trial.Bug{
	{Name: "manifest-unsynced", Models: "a new manifest is not synced before CURRENT names it (#335)", Module: goleveldb + "@v1.0.1-0.20200815110645-5c35d600f0ca",
		Row: "goleveldb --restarts 2 --slow 5", Only: "a store that was open opens"},
	{Name: "merge-old-values", Models: "a merge brings old values back", Module: "github.com/nutsdb/nutsdb@v1.0.0", Row: "nutsdb", Only: "linearizable"},
	{Name: "buckets-unsynced", Models: "the file of buckets is not synced", Module: "github.com/nutsdb/nutsdb@v1.0.4", Row: "nutsdb --restarts 1", Only: "what is acknowledged is durable"},
	leveldb("db_write.go", "journal-unsynced", "the journal is not synced", "", "if sync {\n\t\treturn db.journalWriter.Sync()", "if false {\n\t\treturn db.journalWriter.Sync()"),
	leveldb("session_util.go", "commit-unsynced", "an edit of the manifest is not synced", " --slow 5", "err = s.manifestWriter.Sync()", "err = nil"),
	leveldb("table.go", "table-unsynced", "a table is not synced before the manifest lists it", " --slow 5", "err = w.w.Sync()", "err = nil"),
	leveldb("db.go", "sequence-kept", "after a restart, changes have the numbers of older ones", "", "db.seq = batchSeq + uint64(batchLen)\n\n\t\t\t\t// Flush it", "_ = batchSeq + uint64(batchLen)\n\n\t\t\t\t// Flush it"),
	in(goleveldb, "leveldb/db_compaction.go", "removal-dropped", "a compaction drops a removal although a deeper level has the value", "goleveldb/deep --calls 42", "seq <= b.minSeq && b.c.baseLevelForKey(lastUkey):", "seq <= b.minSeq:"),
	leveldb("db_compaction.go", "flush-uncommitted", "a flush drops the journal before the manifest lists the new table", " --slow 5",
		"rec.setJournalNum(db.journalFd.Num)\n\trec.setSeqNum(db.frozenSeq)\n", "rec.setJournalNum(db.journalFd.Num)\n\trec.setSeqNum(db.frozenSeq)\n\tdb.s.stor.Remove(db.frozenJournalFd)\n"),
	leveldb("db.go", "replay-unflushed", "a journal that was replayed is removed, but not its changes written to a table", "", "// Flush the last memdb.\n\t\tif mdb.Len() > 0 {", "// Flush the last memdb.\n\t\tif false {"),
	in(bbolt, "tx.go", "bbolt-pages-unsynced", "the pages of a transaction are not synced before its meta page is written", inAnyOrder, "if !tx.db.NoSync || common.IgnoreNoSync {\n\t\t// gofail: var beforeSyncDataPages", "if false {\n\t\t// gofail: var beforeSyncDataPages"),
	in(bbolt, "tx.go", "bbolt-meta-unsynced", "a meta page is not synced", inAnyOrder, "if !tx.db.NoSync || common.IgnoreNoSync {\n\t\t// gofail: var beforeSyncMetaPage", "if false {\n\t\t// gofail: var beforeSyncMetaPage"),
	in(bbolt, "db.go", "bbolt-older-meta", "the older of two meta pages is used", inAnyOrder, "if db.meta1.Txid() > db.meta0.Txid() {", "if db.meta1.Txid() < db.meta0.Txid() {"),
	in(bbolt, "tx.go", "bbolt-freed-at-once", "the pages that a transaction frees are used for its list of free pages", inAnyOrder, "if !tx.db.NoFreelistSync {\n\t\terr = tx.commitFreelist()", "tx.db.freelist.ReleasePendingPages()\n\tif !tx.db.NoFreelistSync {\n\t\terr = tx.commitFreelist()"),
	in(bbolt, "tx.go", "bbolt-pages-freed-twice", "the list of free pages that is stored has the pages of the list itself", inAnyOrder, "tx.db.freelist.Write(p)\n", "tx.db.freelist.Free(tx.meta.Txid(), p)\n\ttx.db.freelist.Write(p)\n"),
	in(pebble, "record/log_writer.go", "pebble-log-unsynced", "the log is not synced", "pebble --restarts 2", "err := w.s.Sync()", "err := error(nil)"),
	in(pebble, "version_set.go", "pebble-edit-unsynced", "an edit of the manifest is not synced", "pebble --restarts 2 --slow 5 --calls 28",
		"if err := vs.manifestFile.Sync(); err != nil {", "if err := error(nil); err != nil {"),
	{Name: "pebble-table-unsynced", Models: "a table is not synced before the manifest lists it", Module: pebble, Row: "pebble --restarts 2 --slow 5 --calls 28", Edits: []plant.Edit{
		{File: "objstorage/objstorageprovider/vfs_writable.go", Old: "err = w.file.Sync()", New: "err = nil"},
		{File: "vfs/syncing_file.go", Old: "if off := f.offset.Load(); off > f.syncOffset.Load() {", New: "if off := f.offset.Load(); off < 0 {"},
	}},
	in(pebble, "internal/compact/iterator.go", "pebble-removal-dropped", "a compaction drops a removal although a deeper level has the value", "pebble --calls 42",
		"if i.delElider.ShouldElide(i.iterKV.K.UserKey) {", "if true {"),
	in(badger, "memtable.go", "badger-log-unsynced", "the log of the memory table is not synced", "badger/careful --restarts 2", "return mt.wal.Sync()\n", "return nil\n"),
	in(badger, "value.go", "badger-values-unsynced", "the value log is not synced", "badger/careful --restarts 2", "if vlog.opt.SyncWrites {\n\t\t\tif err := curlf.Sync()", "if false {\n\t\t\tif err := curlf.Sync()"),
	in(badger, "db.go", "badger-versions-again", "after a restart, changes have the versions of older ones", "badger/careful --restarts 2", "db.orc.nextTxnTs = db.MaxVersion()", "db.orc.nextTxnTs = 0"),
}
