// Planted plants bugs in the leader election and in the programs around it, one at a time. It measures how soon sampled
// schedules catch each bug:
//
//	go run ./planted                       all, in a table
//	go run ./planted deadline-ignored      these
//
// The repository contains no code of the library but the few words that are replaced.
package main

import (
	"contend/checker/plant"
	"contend/checker/plant/trial"
)

func main() { trial.Main(bugs) }

const clientgo = "k8s.io/client-go"

// library returns a bug in the leader election.
func library(name, models, row, only, old, new string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Module: clientgo, Row: row, Only: only,
		Edits: []plant.Edit{{File: "tools/leaderelection/leaderelection.go", Old: old, New: new}}}
}

// glue returns a mistake of the candidate or the store. It is a variant of the protocol.
func glue(name, models, bounds, only string) trial.Bug {
	return trial.Bug{Name: name, Models: models, Row: "election/" + name + bounds, Only: only}
}

// The claims that the bugs violate.
const (
	oneLeader = "at most one leader"
	over      = "only a lease that is over is taken"
	released  = "a leader that resigns releases the lease"
)

var bugs = []trial.Bug{
	library("own-duration", "a candidate waits for its own LeaseDuration, not that of the lease (47671)", "election/short -n 2", over,
		"le.observedTime.Add(time.Second * time.Duration(le.observedRecord.LeaseDurationSeconds)).After(now)", "le.observedTime.Add(le.config.LeaseDuration).After(now)"),
	library("release-once", "a leader that resigns while it renews does not release the lease (131867)", "election/releases -n 2", released,
		"oldLeaderElectionRecord, _, err := le.config.Lock.Get(ctx)\n	if err != nil {\n		if !errors.IsNotFound(err) {\n			logger.Error(err, \"error retrieving",
		"oldLeaderElectionRecord, err := &le.observedRecord, error(nil)\n	if err != nil {\n		if !errors.IsNotFound(err) {\n			logger.Error(err, \"error retrieving"),
	library("release-stops", "a leader whose release meets a conflict does not try again (137988)", "election/releases -n 2", released,
		"return le.tryRelease(ctx)\n		}", "return false\n		}"),
	library("deadline-ignored", "a leader renews without a deadline", "election -n 2 --partitions 1", oneLeader,
		"le.config.RetryPeriod, le.config.RenewDeadline, true,", "le.config.RetryPeriod, 10*le.config.RenewDeadline, true,"),
	library("valid-ignored", "a candidate takes a lease that is valid", "election -n 2", over,
		"&& le.isLeaseValid(now.Time) && !le.IsLeader() {", "&& false && !le.IsLeader() {"),
	library("expired-kept", "a candidate waits also when a lease is over", "election", "somebody leads",
		"&& le.isLeaseValid(now.Time) && !le.IsLeader() {", "&& !le.IsLeader() {"),
	library("time-kept", "a candidate does not note when the lease is renewed", "election -n 2", over,
		"	le.observedRecord = *observedRecord\n	le.observedTime = le.clock.Now()", "	if le.observedRecord.HolderIdentity != observedRecord.HolderIdentity {\n		le.observedTime = le.clock.Now()\n	}\n	le.observedRecord = *observedRecord"),
	library("duration-halved", "a candidate halves the duration of a lease", "election -n 2", over,
		"	le.observedRecord = *observedRecord\n", "	le.observedRecord = *observedRecord\n	le.observedRecord.LeaseDurationSeconds /= 2\n"),
	library("release-unobserved", "a candidate waits for the end of a lease that was released", "election/releases", "a released lease is taken at once",
		"if len(oldLeaderElectionRecord.HolderIdentity) > 0 && le.isLeaseValid(now.Time)", "if le.observedTime.Add(le.config.LeaseDuration).After(now.Time)"),
	library("never-released", "a leader that resigns does not release the lease", "election/releases -n 2", released,
		"	if le.config.ReleaseOnCancel {", "	if le.config.ReleaseOnCancel && le.config.Name != \"\" {"),
	library("follower-releases", "a candidate that is not the holder releases the lease", "election/releases", "only its holder releases a lease",
		"	if !le.acquire(ctx) {\n", "	if !le.acquire(ctx) {\n		le.observedRecord.HolderIdentity = le.config.Lock.Identity()\n		le.release(klog.FromContext(ctx))\n"),
	glue("compares-nothing", "the store does not compare resource versions", " -n 2", over),
	glue("cancels-first", "a candidate cancels its election 8 seconds before its work has ended", "", oneLeader),
	glue("outlives", "a leader works for 8 seconds after its context was cancelled", " -n 2 --partitions 1 --stays 20000", oneLeader),
	glue("no-sync", "the store does not sync the lease", " --restarts 2", over),
}
