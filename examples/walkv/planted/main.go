// Planted plants bugs in the log and in the server around it, one at a time. It measures how soon sampled
// schedules catch each bug:
//
//	go run ./planted                     all, in a table
//	go run ./planted find-segment        these
//	go run ./planted drive               drive the server as a process that is killed, with all
//	go run ./planted drive find-segment  with these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"fmt"
	"os"

	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "drive" {
		trial.Main(bugs)
		return
	}
	missed, err := driveAll(os.Args[2:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(2)
	}
	if missed {
		os.Exit(1)
	}
}

// library returns a bug in the library's only file.
func library(name, models, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: "github.com/tidwall/wal", Edits: []plant.Edit{{File: "wal.go", Old: old, New: new}},
		Row: "walkv --restarts 2"}
}

// slowly returns a bug that shows only if something happens during an operation of the log.
func slowly(bounds string, b trial.Bug) trial.Bug {
	b.Row += " --slow 5" + bounds
	return b
}

// glue returns a mistake of the server. It is a variant of the protocol.
func glue(name, models, bounds string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Row: "walkv/" + name + " " + bounds}
}

var bugs = []trial.Bug{
	library("sync-inverted", "the option NoSync is read the wrong way round", "if !l.opts.NoSync {", "if l.opts.NoSync {"),
	library("cycle-unsynced", "a file that is full is closed without being synced", "if err := l.sfile.Sync(); err != nil {\n\t\treturn err\n\t}\n\tif err := l.sfile.Close(); err != nil {\n\t\treturn err\n\t}\n\t// cache", "if err := l.sfile.Close(); err != nil {\n\t\treturn err\n\t}\n\t// cache"),
	library("cycle-index", "a new file is named after the entry before its first one", "index: l.lastIndex + 1,\n\t\tpath:  filepath.Join(l.path, segmentName(l.lastIndex+1)),", "index: l.lastIndex,\n\t\tpath:  filepath.Join(l.path, segmentName(l.lastIndex)),"),
	library("open-truncates", "the last file is emptied when it is opened", "os.OpenFile(lseg.path, os.O_WRONLY,", "os.OpenFile(lseg.path, os.O_WRONLY|os.O_TRUNC,"),
	library("open-at-start", "after a restart entries are written from the start of the last file", "if _, err := l.sfile.Seek(0, 2); err != nil {", "if _, err := l.sfile.Seek(0, 0); err != nil {"),
	library("last-index", "after a restart the last index is one too large", "l.lastIndex = lseg.index + uint64(len(lseg.epos)) - 1", "l.lastIndex = lseg.index + uint64(len(lseg.epos))"),
	slowly("", library("torn-accepted", "an entry of which the end is missing is taken for whole", "if uint64(len(data)-n) < size {\n\t\treturn 0, ErrCorrupt", "if uint64(len(data)-n) < size {\n\t\treturn len(data), nil")),
	library("find-segment", "the first entry of a file is looked for in the file before", "if index >= l.segments[h].index {", "if index > l.segments[h].index {"),
	library("temp-unsynced", "the new first file is not synced before it replaces the old ones", "if err := f.Sync(); err != nil {\n\t\t\treturn err\n\t\t}\n", ""),
	slowly(" --segment 20", library("start-kept", "a restart leaves the first of the files that were being cut off", "for i := 0; i < startIdx; i++ {", "for i := 1; i < startIdx; i++ {")),
	library("cut-position", "what is cut off ends one entry too late", "epos := s.epos[index-s.index:]\n\t\tebuf = s.ebuf[epos[0].pos:]", "epos := s.epos[index-s.index:]\n\t\tebuf = s.ebuf[epos[0].end:]"),
	library("cut-first-index", "the first index stays when the log is cut off", "l.firstIndex = index\n\tl.clearCache()", "l.clearCache()"),

	glue("no-sync", "the log does not sync what it writes", "--restarts 2"),
	glue("answer-first", "a change is answered before it is written", "--restarts 2 --slow 5"),
	glue("delete-segment", "a torn log loses its last file", "--restarts 2 --slow 5"),
	glue("cut-all", "the log is cut off at its last entry", ""),
	glue("cut-one-more", "the log is cut off one entry too late", ""),
	glue("not-removed", "that a key is removed is not written", "--restarts 2"),
	glue("index-first", "a key is said to be where its entry is not written yet", "--room 300"),
	glue("ignore-errors", "a write that fails is answered like another", "--room 300"),
	glue("unlocked", "changes do not lock the store", "--slow 5"),
}
