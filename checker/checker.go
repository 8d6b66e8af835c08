// Package checker decides claims: it takes a protocol at a configuration and returns a verdict for each claim,
// with the bounds within which it was reached. [Check] decides one check, [Test] checks a protocol under go test,
// and [Fuzz] is the body of a fuzz target.
//
// The package has the names for users. Their meaning is in the packages below:
//
//   - checker/verdict has the options of a check, and the rows with the verdicts
//   - checker/check decides a check: by a search, by sampling, or by both
//   - checker/exhaustive searches for a row, and finds the minimum and maximum of a cost
//   - checker/sampled samples for a row, and chooses good runs
//   - checker/shrink makes counterexamples smaller
//   - checker/gotest and checker/fuzzing are for go test
//   - checker/conform looks for a run that explains logs
//   - checker/suite computes test suites, and checker/drive replays them on an implementation
package checker

import (
	"testing"

	"contend/checker/check"
	"contend/checker/conform"
	"contend/checker/drive"
	"contend/checker/exemplar"
	"contend/checker/exhaustive"
	"contend/checker/fuzzing"
	"contend/checker/gotest"
	"contend/checker/minimize"
	"contend/checker/sampled"
	"contend/checker/shrink"
	"contend/checker/verdict"
	"contend/model"
	"contend/traces"
)

// Aliases of package verdict.
type (
	Options     = verdict.Options
	Progress    = verdict.Progress
	From        = verdict.From
	Row         = verdict.Row
	ClaimResult = verdict.ClaimResult
	Verdict     = verdict.Verdict
)

// The verdicts.
const (
	Holds        = verdict.Holds
	Violated     = verdict.Violated
	Inconclusive = verdict.Inconclusive
	NotClaimed   = verdict.NotClaimed
)

// Codes of limits.
const (
	Internal       = verdict.Internal
	NothingClaimed = verdict.NothingClaimed
	Stuck          = verdict.Stuck
	Untested       = verdict.Untested
	NoStep         = verdict.NoStep
)

// Aliases of the packages that search and sample.
type (
	CostRow = exhaustive.CostRow
	Reading = exhaustive.Reading
	Good    = sampled.Good
)

// Aliases of package fuzzing.
type (
	Target = fuzzing.Target
	Trial  = fuzzing.Trial
	Broken = fuzzing.Broken
)

// Short is the timeout of each check under go test -short: see [gotest.Short].
const Short = gotest.Short

// Check decides the claims of a check: see [check.Run].
func Check(p *model.Protocol, c model.Check, opt Options) ([]*Row, error) {
	return check.Run(p, c, opt)
}

// FindCost finds the minimum and maximum of a cost: see [exhaustive.FindCost].
func FindCost(p *model.Protocol, cost *model.Cost, c model.Check, opt Options) (*CostRow, error) {
	return exhaustive.FindCost(p, cost, c, opt)
}

// FindGood samples and chooses a run that breaks no claim: see [sampled.FindGood].
func FindGood(p *model.Protocol, c model.Check, kind exemplar.Kind, opt Options) (*Good, error) {
	return sampled.FindGood(p, c, kind, opt)
}

// Minimize makes the run of a trace smaller: see [shrink.Minimize].
func Minimize(p *model.Protocol, t *traces.Trace, opt Options, schedules int, told func(minimize.Progress)) (*traces.Trace, minimize.Report, error) {
	return shrink.Minimize(p, t, opt, schedules, told)
}

// Test checks a protocol under go test: see [gotest.Test].
func Test(t *testing.T, p *model.Protocol) {
	t.Helper()
	gotest.Test(t, p)
}

// TestCheck checks one configuration under go test: see [gotest.TestCheck].
func TestCheck(t testing.TB, p *model.Protocol, c model.Check) {
	t.Helper()
	gotest.TestCheck(t, p, c)
}

// TestMutant checks under go test that a mutant is caught: see [gotest.TestMutant].
func TestMutant(t testing.TB, p *model.Protocol, v model.Variant) {
	t.Helper()
	gotest.TestMutant(t, p, v)
}

// Validate checks under go test whether logs of an implementation show a run of a protocol: see [conform.Test].
func Validate(t testing.TB, p *model.Protocol, c model.Config, logs ...string) {
	t.Helper()
	conform.Test(t, p, c, logs...)
}

// Follow checks under go test the log of a service while it runs: see [conform.Follow].
//
//	f := checker.Follow(t, twophase.Protocol, model.Config{N: 3}, conform.Options{Silent: []string{"call", "result"}})
//	go serve("tm", slog.New(f.Handler("tm")))
//	command.Stdout = f.Node("rm1")
func Follow(t testing.TB, p *model.Protocol, c model.Config, opt conform.Options) *conform.Follower {
	t.Helper()
	return conform.Follow(t, p, c, opt)
}

// Drive checks under go test whether an implementation agrees with a protocol in a suite of runs that takes all
// transitions: see [drive.Test]. The adapter is [drive.Go] or [drive.Command].
func Drive(t testing.TB, p *model.Protocol, c model.Config, adapter drive.Target) {
	t.Helper()
	drive.Test(t, p, c, adapter)
}

// Fuzz is the body of a fuzz target: see [fuzzing.Fuzz].
//
//	func FuzzProtocol(f *testing.F) { checker.Fuzz(f, mylock.Protocol) }
func Fuzz(f *testing.F, p *model.Protocol) {
	f.Helper()
	fuzzing.Fuzz(f, p)
}
