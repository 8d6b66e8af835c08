// Planted plants bugs in the library and in the code around it, one at a time. It measures how soon sampled
// schedules catch each bug:
//
//	go run ./planted                     all, in a table
//	go run ./planted vote-unrecorded     these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

// library returns a bug in a file of the library.
func library(file, name, models, bounds, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: "github.com/hashicorp/raft", Edits: []plant.Edit{{File: file, Old: old, New: new}},
		Row: "hashiraft " + bounds}
}

// votes returns a bug in the vote and in the pre-vote. A server sends the pre-vote first, to find out whether
// it can win the vote.
func votes(name, models, condition, reason string) trial.Bug {
	b := trial.Bug{Name: name, Models: models, Module: "github.com/hashicorp/raft", Row: "hashiraft " + both}
	for _, vote := range []string{"vote", "pre-vote"} {
		warns := "\n\t\tr.logger.Warn(\"rejecting " + vote + " request " + reason + "\""
		b.Edits = append(b.Edits, plant.Edit{File: "raft.go", Old: condition + warns, New: "if false {" + warns})
	}
	return b
}

// upstream returns a bug that a release of the library has and the next release has not.
func upstream(version, name, models, claim, bounds string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: "github.com/hashicorp/raft@" + version, Row: "hashiraft" + bounds, Only: claim}
}

// glue returns a mistake of the server. It is a variant of the protocol.
func glue(name, models, bounds string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Row: "hashiraft/" + name + " " + bounds}
}

const (
	none      = ""
	restarts  = "--restarts 3"
	partition = "--partitions 1"
	both      = "--restarts 1 --partitions 1"
)

var bugs = []trial.Bug{
	library("raft.go", "vote-quorum", "one vote too few elects", none, "return voters/2 + 1", "return voters / 2"),
	library("raft.go", "vote-unrecorded", "a server that grants its vote does not note for whom", none,
		"if err := r.persistVote(req.Term, candidateBytes); err != nil {", "if err := error(nil); err != nil {"),
	library("raft.go", "vote-twice", "a server that has voted votes again for whoever asks", none,
		"if bytes.Equal(lastVoteCandBytes, candidateBytes) {", "if bytes.Equal(lastVoteCandBytes, candidateBytes) || true {"),
	votes("vote-stale-log", "the vote goes to a candidate whose log is shorter", "if lastTerm == req.LastLogTerm && lastIdx > req.LastLogIndex {",
		"since our last index is greater"),
	votes("vote-older-term", "the vote goes to a candidate whose last entry is of an earlier term", "if lastTerm > req.LastLogTerm {",
		"since our last term is greater"),
	library("raft.go", "term-unsaved", "the term is kept in memory only", restarts,
		"if err := r.stable.SetUint64(keyCurrentTerm, t); err != nil {", "if err := error(nil); err != nil {"),
	library("commitment.go", "commit-quorum", "the leader alone commits", partition, "matched[(len(matched)-1)/2]", "matched[len(matched)-1]"),
	library("commitment.go", "commit-earlier-term", "an entry of an earlier term is committed by counting its copies (Figure 8 of the Raft paper)", both,
		"quorumMatchIndex > c.commitIndex && quorumMatchIndex >= c.startIndex", "quorumMatchIndex > c.commitIndex"),
	library("raft.go", "append-unchecked", "a follower does not check the term of the entry before the new ones", both,
		"if a.PrevLogTerm != prevLogTerm {", "if false {"),
	library("raft.go", "append-conflict-kept", "an entry that is there stays, though the leader's is of another term", both,
		"if entry.Term != storeEntry.Term {", "if false {"),
	library("raft.go", "commit-unbounded", "a follower takes the leader's commit index without looking where its log ends", none,
		"idx := min(a.LeaderCommitIndex, r.getLastIndex())", "idx := a.LeaderCommitIndex"),
	library("raft.go", "verify-alone", "a leader makes sure that it leads by asking itself", partition,
		"if v.quorumSize == 1 {", "if v.quorumSize > 0 {"),
	library("snapshot.go", "compact-too-far", "entries after the snapshot are deleted with those in it", both,
		"maxLog := min(snapIdx, lastLogIdx-trailingLogs)", "maxLog := max(snapIdx, lastLogIdx-trailingLogs)"),

	upstream("v1.3.2", "nonvoter-stands", "a server without a vote stands for election (pull request 483)", "nonvoters do not stand", "/gaps -n 4 --nonvoters 1"),
	upstream("v1.3.6", "transfer-open", "once a transfer has failed, the leader takes no words (pull request 493)", "a transfer ends", "/gaps --transfers 2 --partitions 1"),
	upstream("v1.3.11", "snapshot-gap", "a snapshot that a follower installs leaves a gap in its log (pull request 545)", "", " --restarts 2"),

	glue("no-sync", "the log is not synced", restarts),
	glue("forgets-votes", "the term and the vote are kept in memory only", restarts),
	glue("forgets-term", "the term is kept in memory only", restarts),
	glue("keeps-suffix", "that the end of the log is deleted is not written", both),
	glue("answers-early", "a word is said to be appended before it is", both),
	glue("asks-again", "a word is appended once more when nobody knows whether it was", both),
	glue("reads-anywhere", "each server reads its own list", none),
	glue("no-verify", "a server that was the leader reads its own list", partition),
	glue("no-barrier", "a new leader reads before it has applied what was committed", "--transfers 2"),
	glue("restore-adds", "a snapshot is added to what is there", both),
	glue("snapshot-older", "a snapshot leaves out the last word", both),
}
