package rapidcheck_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/checker"
	"contend/checker/rapidcheck"
	"contend/checker/verify/starter"
	"contend/model"
	"contend/model/world"
)

// An account is told of each step of its run, as it is taken.
func TestAccountSeesEachStep(t *testing.T) {
	runs, steps := 0, 0
	rapidcheck.Run(t, checker.Target{Protocol: starter.Protocol}, func(run *checker.Trial) rapidcheck.Account {
		runs++
		if runs%2 == 0 {
			return nil
		}
		own := 0
		return func(t *rapid.T, r world.Record) {
			own++
			steps++
			if own != run.World.Steps || r.At != run.World.Now {
				t.Fatalf("step %d at %d is told as step %d at %d", run.World.Steps, run.World.Now, own, r.At)
			}
		}
	})
	if runs < 20 || steps < 4*runs {
		t.Errorf("%d runs, %d steps", runs, steps)
	}
}

// Runs meet the faults that the check allows.
func TestFaultsStrike(t *testing.T) {
	p := *starter.Protocol
	p.Checks = []model.Check{{Config: model.Config{Faults: model.Faults{Loss: 2, Crashes: 1}}}}
	struck := map[model.EventKind]int{}
	rapidcheck.Run(t, checker.Target{Protocol: &p}, func(*checker.Trial) rapidcheck.Account {
		return func(_ *rapid.T, r world.Record) { struck[r.Move.Kind]++ }
	})
	if struck[model.Lose] == 0 || struck[model.Crash] == 0 || struck[model.Duplicate] > 0 {
		t.Errorf("what happened: %v", struck)
	}
}

// A run fails when its account says so, with t.Error too, and rapid does not list the choices of the run.
func TestAccountsFail(t *testing.T) {
	const how = "CONTEND_ACCOUNT_FAILS"
	if by := os.Getenv(how); by != "" {
		rapidcheck.Run(t, checker.Target{Protocol: starter.Protocol}, func(*checker.Trial) rapidcheck.Account {
			return func(t *rapid.T, _ world.Record) {
				if by == "Error" {
					t.Error("the account is wrong")
				} else {
					t.Fatal("the account is wrong")
				}
			}
		})
		return
	}
	for _, by := range []string{"Error", "Fatal"} {
		c := exec.Command(os.Args[0], "-test.run=^TestAccountsFail$", "-rapid.nofailfile")
		c.Env, c.Dir = append(os.Environ(), how+"="+by), t.TempDir()
		out, err := c.CombinedOutput()
		if text := string(out); err == nil || !strings.Contains(text, "failed after") || strings.Contains(text, "draw choice") {
			t.Errorf("t.%s: %v: %s", by, err, text)
		}
	}
}
