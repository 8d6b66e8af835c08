package goker

import (
	"flag"
	"testing"

	"contend/checker/concurrent"
)

var full = flag.Bool("full", false, "run 20,000 schedules of what is repaired, not 3,000")

// options are the usual ones, but for fewer schedules of what is silent.
func options() concurrent.Options {
	if *full {
		return concurrent.Options{}
	}
	return concurrent.Options{Schedules: 3_000}
}

// Each kernel shows its bug as it should, or does not where it says why not. The command table reads what is logged.
func TestBugs(t *testing.T) {
	for _, k := range Kernels {
		t.Run(k.Name, func(t *testing.T) {
			o := concurrent.Options{}
			if k.Unseen != "" {
				o = options()
			}
			r, err := o.Search(t, func() { k.Body(t, false) })
			if err != nil {
				t.Fatal(err)
			}
			switch f := r.Failure; {
			case f == nil && k.Unseen == "":
				t.Errorf("nothing fails: %v", r)
			case f == nil:
				t.Logf("contend: %s: nothing in %d schedules", k.Name, r.Schedules)
			default:
				t.Logf("contend: %s: %v after %d schedules, %d preemptions", k.Name, f.Outcome, f.After, f.Preemptions)
				if f.Outcome.String() != k.Shows || k.Unseen != "" {
					t.Errorf("%v, want %s %s\n%v", f.Outcome, k.Shows, k.Unseen, f)
				}
			}
		})
	}
}

// What is repaired is silent.
func TestRepaired(t *testing.T) {
	for _, k := range Kernels {
		t.Run(k.Name, func(t *testing.T) {
			r, err := options().Search(t, func() { k.Body(t, true) })
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r)
			if r.Failure != nil {
				t.Errorf("a false alarm: %v", r.Failure)
			}
		})
	}
}
