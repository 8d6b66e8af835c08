// Planted plants bugs in CometBFT, one at a time. It measures how soon sampled schedules catch each bug:
//
//	go run ./planted                     all, in a table
//	go run ./planted state-unsynced      these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

const cometbft = "github.com/cometbft/cometbft"

// signer returns a bug of the signer.
func signer(name, models, bounds string, edits ...plant.Edit) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: cometbft, Edits: edits, Row: "filepv/careful " + bounds}
}

var (
	inPlace = plant.Edit{File: "privval/file.go", Old: "err = tempfile.WriteFileAtomic(outFile, jsonBytes, 0o600)\n\tif", New: "err = os.WriteFile(outFile, jsonBytes, 0o600)\n\tif"}
	torn    = plant.Edit{File: "privval/file.go", Old: "err = cmtjson.Unmarshal(stateJSONBytes, &pvState)\n", New: "err = cmtjson.Unmarshal(stateJSONBytes, &pvState); err = nil\n"}
)

var bugs = []trial.Bug{
	{Name: "renaming-unsynced", Models: "the renaming of the state is not synced (#6031)", Module: cometbft + "@v0.40.0", Row: "filepv --restarts 2", Only: "no double sign"},
	signer("state-unsynced", "the state is not synced before its renaming", "--restarts 2", plant.Edit{File: "libs/tempfile/tempfile.go", Old: "os.O_SYNC | ", New: ""}),
	signer("state-in-place", "the state is written in place", "--restarts 2 --slow 5", inPlace),
	signer("torn-state-empty", "a torn state is taken for an empty state", "--restarts 2 --slow 5", inPlace, torn),
	signer("saved-later", "the state is saved after the signature leaves", "--restarts 2 --slow 5",
		plant.Edit{File: "privval/file.go", Old: "pv.LastSignState.SignBytes = signBytes\n\tpv.LastSignState.Save()", New: "pv.LastSignState.SignBytes = signBytes\n\tgo pv.LastSignState.Save()"}),
	signer("saved-once-a-round", "the state is saved only for the first signature of a round", "--restarts 2",
		plant.Edit{File: "privval/file.go", Old: "pv.LastSignState.SignBytes = signBytes\n\tpv.LastSignState.Save()", New: "pv.LastSignState.SignBytes = signBytes\n\tif step == stepPropose {\n\t\tpv.LastSignState.Save()\n\t}"}),
	signer("earlier-round", "a request for an earlier round is signed", "", plant.Edit{File: "privval/file.go", Old: "if lss.Round > round {", New: "if false {"}),
	signer("signed-again", "a request that differs in its time is signed again", "", plant.Edit{File: "privval/file.go", Old: "if bytes.Equal(signBytes, lss.SignBytes) {\n\t\t\tvote.Sig", New: "if sig, err := pv.Key.PrivKey.Sign(signBytes); err == nil {\n\t\t\tlss.Signature = sig\n\t\t\tvote.Sig"}),
	signer("time-kept", "an old signature is returned with the new time", "", plant.Edit{File: "privval/file.go", Old: "vote.Timestamp = timestamp\n", New: "_ = timestamp\n"}),
	signer("block-ignored", "requests for different blocks are taken to differ in their time", "", plant.Edit{File: "privval/file.go", Old: "return lastTime, proto.Equal(&newVote, &lastVote)", New: "return lastTime, true"}),
	{Name: "torn-header-is-the-end", Models: "a torn header is taken for the end of the log", Module: cometbft + "@v0.38.26", Row: "wal/careful --restarts 2 --slow 5 --calls 24", Only: "what is acknowledged is durable"},
	{Name: "repair-unsynced", Models: "a log that is repaired is truncated first, and not synced", Module: cometbft + "@v0.40.0", Row: "wal --restarts 2 --slow 5 --calls 24", Only: "what is acknowledged is durable"},
	{Name: "log-unsynced", Models: "the log is not synced", Module: cometbft, Row: "wal/careful --restarts 2 --slow 5 --calls 24",
		Edits: []plant.Edit{{File: "libs/autofile/group.go", Old: "err = g.Head.Sync()\n", New: "err = nil\n"}}},
	{Name: "newest-file-only", Models: "the search for the end of a height reads only the newest file", Module: cometbft, Row: "wal/careful --restarts 2 --slow 5 --calls 24",
		Edits: []plant.Edit{{File: "consensus/wal.go", Old: "index >= min; index--", New: "index >= max; index--"}}},
}
