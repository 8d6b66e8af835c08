package checker_test

import (
	"errors"
	"fmt"
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/checker/verify/starter"
	"contend/model"
)

// In a test file: func TestProtocol(t *testing.T) { checker.Test(t, mylock.Protocol) }.
func ExampleTest() {
	_ = func(t *testing.T) { checker.Test(t, starter.Protocol) }
}

// In a test file: func FuzzProtocol(f *testing.F) { checker.Fuzz(f, mylock.Protocol) }.
func ExampleFuzz() {
	_ = func(f *testing.F) { checker.Fuzz(f, starter.Protocol) }
}

// A check makes rows; each claim of a row has a verdict, and a violation its run.
func ExampleCheck() {
	rows, err := checker.Check(starter.Protocol, model.Check{Variant: "grants-twice", Config: model.Config{}.With(model.Ops.Is(1))}, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, claim := range rows[0].Claims {
		fmt.Printf("%s: %s, in %d steps\n", claim.Name, claim.Verdict, claim.Steps)
	}
	fmt.Println(rows[0].Command)
	// Output:
	// mutual exclusion: violated, in 8 steps
	// every request is granted: holds, in 0 steps
	// verify check starter/grants-twice --clients 2 --ops 1 --delay 1 --stay 1 --time untimed
}

// A target picks systems, and faults, of its own. In a test file its method Fuzz is the body of a
// fuzz target; any bytes are a run.
func ExampleTarget() {
	target := checker.Target{Protocol: starter.Protocol, Configure: func(c sample.Choices) model.Check {
		config := model.Config{}.With(model.Clients.Is(2 + c.Choose(3)))
		config.Faults.Loss = c.Choose(2)
		return model.Check{Variant: "grants-twice", Config: config}
	}}
	_, err := target.Run(nil)
	var broken *checker.Broken
	if errors.As(err, &broken) {
		fmt.Println(broken.Claim+":", broken.Text)
	}
	// Output: mutual exclusion: c2: it gets the lock while another client holds it
}
