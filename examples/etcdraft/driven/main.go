// Driven takes the runs of the page etcdraft-steps with the library, and compares each step. It prints a line of JSON for
// each of its configurations, up to the first difference.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"contend/checker/drive"
	"contend/checker/suite"
	"contend/examples/etcdraft/traced"
	"contend/model"
)

// A line is the result of a row.
type line struct {
	Bounds      string `json:"bounds"`
	Verdict     string `json:"verdict"`
	Limit       string `json:"limit,omitempty"`
	Runs        int    `json:"runs"`
	Transitions int    `json:"transitions"`
	Taken       int    `json:"taken"`
	Steps       int    `json:"steps,omitempty"`  // of the run with the difference
	Step        string `json:"step,omitempty"`   // the last
	Reason      string `json:"reason,omitempty"` // what differs
}

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, c := range rows {
		l, err := drivenBy(c)
		if err == nil {
			err = out.Encode(l)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "driven:", err)
			os.Exit(70)
		}
		if l.Verdict == string(drive.Differs) {
			os.Exit(1)
		}
	}
}

// drivenBy drives the library by the runs of a configuration.
func drivenBy(c model.Config) (line, error) {
	got, err := drive.Drive(traced.Exact, "", c, target(c), drive.Options{Suite: suite.Options{MaxStates: mostStates}})
	if err != nil {
		return line{}, err
	}
	l := line{Bounds: boundsOf(c), Verdict: string(got.Verdict), Limit: got.Limit, Runs: got.Runs, Transitions: got.Suite.Transitions, Taken: got.Taken}
	if d := got.Difference; d != nil {
		l.Step, l.Reason = d.Step, d.Reason
		if d.Trace != nil {
			l.Steps = len(d.Trace.Steps)
		}
	}
	return l, nil
}

// mostStates is more than any row has.
const mostStates = 200_000
