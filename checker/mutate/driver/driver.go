// Package driver runs the rows of protocols in the program that has their mutants, and tells what
// each comes to. Its main is written by [contend/checker/mutate], which reads what it prints.
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
	"contend/model"
)

// A Row names a check of a protocol, and how far it may go.
type Row struct {
	Protocol  int           // its place in the list that [Main] is given
	Check     int           // its place in the protocol's Checks
	MaxStates int64         // 0: no limit
	Timeout   time.Duration // 0: no limit
}

// An Answer is what a row came to, or, first of all, what rows there are.
type Answer struct {
	Row     Row
	Name    string // of the protocol and the variant
	Bounds  string // the command that makes the check, without the name of the tool
	States  int64
	Steps   int64 // between states: transitions
	Seconds float64
	Limit   string
	Error   string // why it cannot be checked
	Claims  []Claim
}

// A Claim is a verdict.
type Claim struct {
	Name, Verdict, Finding, Limit, Text string
	Steps                               int
	Lost                                bool // it is violated only in that a recorded finding does not replay
}

// Main answers the rows that are asked for on standard input, one JSON object per line, as they
// come; "-list" answers all that there are, without a verdict.
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

// describe says what row it is.
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
	a.Bounds = strings.TrimPrefix(checker.Command(p, c, s.Config), checker.Tool+" ")
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
		if row.Limit != "" {
			a.Limit = row.Limit
		}
		for _, c := range row.Claims {
			lost := c.Verdict == checker.Violated && c.Steps == 0 && strings.HasPrefix(c.Text, "the recorded finding ")
			a.Claims = append(a.Claims, Claim{c.Name, string(c.Verdict), c.Finding, c.Limit, c.Text, c.Steps, lost})
		}
	}
	return a
}
