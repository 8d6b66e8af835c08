package concurrent

import (
	"fmt"
	"strings"

	"contend/program/concurrent/schedule"
)

// A Report says which schedules a test has run. Every schedule stands for every list of the choices that the package comment names. What Go may do and is no
// choice is in none of them.
type Report struct {
	Schedules  int    // all that were run to find a failure
	Systematic []int  // of these, the systematic ones, by their preemptions
	Complete   int    // up to how many preemptions every schedule was run; -1 if not even those without
	All        bool   // every schedule was run
	GaveWay    int    // of the systematic ones, those in which a goroutine that seemed to wait in a loop had to give way
	Joined     int    // of the systematic ones, those that came to a state of another, from which on nothing else was run: see [Options.NoReduction]
	Cut        int    // schedules that were ended while goroutines went on by timers, without a verdict on what waited
	Skipped    int    // schedules in which the body skips the test
	Chance     Chance // what the body left to chance: it came out in another way in each schedule that was drawn, in the same way in all others
	Unseen     bool   // in some schedules data races were not looked for to the end
	Fresh      bool   // each run began as the first one did, since something lived on from one to the next
	Drawn      []Drawn
	Failure    *Failure // nil if no schedule fails
	Stopped    bool     // the time-out came
	Guest      Guest    // as which the body ran
	NotNative  error    // why it ran in WebAssembly, unless that was asked for
	Module     int      // the size of the module in bytes
}

// Drawn is how many schedules were drawn in one way.
type Drawn struct {
	By    string
	Count int
}

// A Failure is a schedule that fails, as small as it could be made.
type Failure struct {
	Outcome     Outcome
	By          string // "systematic", the way in which it was drawn, or the file in which it was kept
	After       int    // so many schedules, itself included
	Preemptions int
	Seed        uint64 // of random numbers
	Deviations  []schedule.Deviation
	Steps       []Step
	Text        string // what the program says of it: a panic's message and stack, the stacks of goroutines that wait, a history
	Output      string // what the body wrote
	Refused     string // what the body does and cannot do, as a sentence without its subject; empty if nothing
	long        bool   // it does not end within the choices that a run has at most
}

// String says in a few lines what was covered.
func (r *Report) String() string {
	if r.Failure != nil && r.Failure.After == 1 {
		return "the first schedule fails"
	}
	var b strings.Builder
	begins, ends := "every schedule", " was run"
	if r.Chance != 0 {
		begins, ends = "with one outcome of chance, all schedules", " were run"
	}
	switch {
	case r.All:
		b.WriteString(begins + ends)
	case r.Complete < 0:
		b.WriteString("schedules without preemptions were run, but not all")
	case r.Complete == 0:
		b.WriteString(begins + " without preemptions" + ends)
	default:
		fmt.Fprintf(&b, "%s with at most %s%s", begins, preemptions(r.Complete), ends)
	}
	var parts []string
	for k, n := range r.Systematic {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d with %s", n, preemptions(k)))
		}
	}
	for _, d := range r.Drawn {
		if d.Count > 0 {
			parts = append(parts, fmt.Sprintf("%d drawn by %s", d.Count, d.By))
		}
	}
	fmt.Fprintf(&b, "; %s in all", counted(r.Schedules, "schedule"))
	if len(parts) > 1 {
		fmt.Fprintf(&b, ": %s", strings.Join(parts, ", "))
	}
	if r.Joined > 0 {
		fmt.Fprintf(&b, "; of schedules that differ only in the order of operations that commute, one was run (%d came to a state of another)", r.Joined)
	}
	if r.Stopped {
		fmt.Fprintf(&b, "; the time-out stopped the search")
	}
	if r.GaveWay > 0 {
		fmt.Fprintf(&b, "; in %d a goroutine that seemed to wait in a loop had to give way, and the schedules in which it goes on were not run", r.GaveWay)
	}
	if r.Cut > 0 {
		fmt.Fprintf(&b, "; in %d goroutines went on by timers until the run was ended, and nobody knows what would have been woken", r.Cut)
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, "; in %d the body skips the test", r.Skipped)
	}
	if r.Chance != 0 {
		fmt.Fprintf(&b, "; chance decided on %v, in another way in each schedule that was drawn", r.Chance)
	}
	if r.Unseen {
		fmt.Fprintf(&b, "; in some schedules data races were not looked for to the end, since there were too many goroutines or accesses")
	}
	if r.Guest != 0 {
		fmt.Fprintf(&b, "; the guest is %v", r.Guest)
	}
	if r.NotNative != nil {
		fmt.Fprintf(&b, ", since %v", r.NotNative)
	}
	return b.String()
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
