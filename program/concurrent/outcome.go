package concurrent

// An Outcome is how a run ended.
type Outcome uint32

// The outcomes of runs.
const (
	Passed          Outcome = iota
	Failed                  // the body called t.Error, t.Fatal or the like
	Deadlock                // all goroutines wait, and the body has not returned
	Leak                    // the body has returned, and goroutines wait that nothing wakes
	NotLinearizable         // no order explains a history
	Panic                   // a goroutine panicked, or the runtime gave up
	Endless                 // the run met the limit on choices or timers
	Race                    // two goroutines access a variable, one of them writes, and nothing orders them
)

// skips is what a run tells that passes, and in which the body skips the test.
const skips = Race + 1

var outcomes = [...]string{"passed", "failed", "deadlock", "leak", "not linearizable", "panic", "endless", "data race"}

// String is the outcome as people call it.
func (o Outcome) String() string { return outcomes[o] }

var sentences = [...]string{
	Passed:          "the run passed",
	Failed:          "the body fails the test",
	Deadlock:        "deadlock: all goroutines wait, and the body has not returned",
	Leak:            "leak: the body has returned, and goroutines wait that nothing wakes",
	NotLinearizable: "the recorded operations are not linearizable",
	Panic:           "panic",
	Endless:         "the run does not end",
	Race:            "data race: nothing orders two accesses to the same memory",
}
