package goker

import (
	"flag"
	"testing"

	"contend/program/concurrent"
)

var full = flag.Bool("full", false, "run 20,000 schedules of what is repaired, not 3,000")

// options returns the usual options, with fewer schedules for a bug without symptoms.
func options() concurrent.Options {
	if *full {
		return concurrent.Options{}
	}
	return concurrent.Options{Schedules: 3_000}
}

// TestBugs runs each kernel with and without race detection. Each kernel shows its bug, or Unseen gives the
// reason. The command table reads the log of this test.
func TestBugs(t *testing.T) {
	for _, k := range Kernels {
		for _, races := range []bool{true, false} {
			name := "races"
			if !races {
				name = "no races"
			}
			t.Run(k.Name+"/"+name, func(t *testing.T) {
				want, o := k.Found(races), concurrent.Options{}
				if want == "" {
					o = options()
				}
				o.NoRaces = !races
				r, err := o.Search(t, func() { k.Body(t, false) })
				if err != nil {
					t.Fatal(err)
				}
				if r.Failure == nil {
					if want != "" {
						t.Errorf("nothing fails: %v", r)
					}
					return
				}
				f := r.Failure
				t.Logf("%s: %s: %v after %d schedules, with %d preemptions", k.Name, name, f.Outcome, f.After, f.Preemptions)
				if f.Outcome.String() != want {
					t.Errorf("%v, want %q\n%v", f.Outcome, want, f)
				}
			})
		}
	}
}

// Repaired kernels have no findings.
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
