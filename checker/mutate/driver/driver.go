// Package driver checks the rows of protocols in the program with their mutants. Package
// [contend/checker/mutate] generates its main file and reads its output.
package driver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"contend/checker"
	"contend/checker/verdict"
	"contend/model"
)

// A Row identifies a check of a protocol, with limits.
type Row struct {
	Protocol  int           // index in the list given to [Main]
	Check     int           // index in the protocol's Checks
	MaxStates int64         // 0 is no limit
	Timeout   time.Duration // 0 is no limit
}

// An Answer is the result of a row, or its description.
type Answer struct {
	Row     Row
	Name    string // protocol and variant
	Bounds  string // command line of the check, without the tool's name
	States  int64
	Steps   int64 // transitions
	Seconds float64
	Limit   string
	Error   string // reason why the row cannot be checked
	Claims  []Claim
}

// A Claim is a claim's verdict.
type Claim struct {
	Name, Verdict, Finding, Limit, Text string
	Steps                               int
	Lost                                bool // violated only because a recorded finding does not replay
}

// Main checks the rows that it reads from standard input, one JSON object a line, and writes an Answer each.
// With "-list" it writes the descriptions of all rows.
func Main(protocols ...*model.Protocol) {
	debug.SetTraceback("single")
	out := json.NewEncoder(os.Stdout)
	if len(os.Args) > 1 && os.Args[1] == "-list" {
		for i, p := range protocols {
			for j := range p.Checks {
				out.Encode(describe(protocols, Row{Protocol: i, Check: j}))
			}
		}
		return
	}
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var r Row
		if err := in.Decode(&r); err == io.EOF {
			return
		} else if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		out.Encode(answer(protocols, r))
	}
}

// describe returns the description of a row.
func describe(protocols []*model.Protocol, r Row) Answer {
	p := protocols[r.Protocol]
	c := p.Checks[r.Check]
	a := Answer{Row: r, Name: p.Name}
	if c.Variant != "" {
		a.Name += "/" + c.Variant
	}
	s, err := p.System(c.Variant, c.Config)
	if err != nil {
		a.Error = err.Error()
		return a
	}
	a.Bounds = strings.TrimPrefix(verdict.Command(p, c, s.Config), verdict.Tool+" ")
	return a
}

func answer(protocols []*model.Protocol, r Row) Answer {
	a := describe(protocols, r)
	p := protocols[r.Protocol]
	start := time.Now()
	rows, err := checker.Check(p, p.Checks[r.Check], checker.Options{
		Seed: 1, Workers: 1, MaxStates: r.MaxStates, Timeout: r.Timeout,
	})
	a.Seconds = time.Since(start).Seconds()
	if err != nil {
		a.Error = err.Error()
	}
	for _, row := range rows {
		a.States, a.Steps = a.States+row.States, a.Steps+row.Transitions
		if !row.Limit.None() {
			a.Limit = row.Limit.String()
		}
		for _, c := range row.Claims {
			lost := c.Verdict == checker.Violated && c.Steps == 0 && strings.HasPrefix(c.Text, "the recorded finding ")
			a.Claims = append(a.Claims, Claim{c.Name, string(c.Verdict), c.Finding, c.Limit.String(), c.Text, c.Steps, lost})
		}
	}
	return a
}
