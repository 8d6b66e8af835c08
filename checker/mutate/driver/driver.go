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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"contend/checker"
	"contend/checker/verdict"
	"contend/model"
)

// A Row identifies a check of a protocol, with limits.
type Row struct {
	Protocol  int           // index in the list given to [Main]
	Check     int           // index in the protocol's Checks, and after them in Deep
	Given     *Given        `json:",omitempty"` // unless nil, the check in place of a listed one
	MaxStates int64         // 0 is no limit
	Timeout   time.Duration // 0 is no limit
	// Stop ends the check at the first violation of a claim that is not in Known. Sampled runs are not minimized.
	Stop  bool     `json:",omitempty"`
	Known []string `json:",omitempty"`
}

// An Answer is the result of a row, or its description.
type Answer struct {
	Row     Row
	Name    string // protocol and variant
	Deep    bool   // the check is one of the protocol's Deep
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
	Name, Kind, Verdict, Finding, Limit, Text string
	Steps                                     int
	Lost                                      bool // violated only because a recorded finding does not replay
	Tested                                    bool // some run put it to the test, or no run of the row can
}

// Main checks the rows that it reads from standard input, one JSON object a line, and writes an Answer each.
// With "-list" it writes the descriptions of all listed rows. With "-candidates" and a number it writes at most as
// many descriptions of rows that no protocol lists.
func Main(protocols ...*model.Protocol) {
	debug.SetTraceback("single")
	out := json.NewEncoder(os.Stdout)
	switch {
	case len(os.Args) > 1 && os.Args[1] == "-list":
		list(protocols, out)
	case len(os.Args) > 2 && os.Args[1] == "-candidates":
		most, _ := strconv.Atoi(os.Args[2])
		for i, p := range protocols {
			for _, c := range candidates(p, most/len(protocols)) {
				out.Encode(describe(protocols, Row{Protocol: i, Given: given(c)}))
			}
		}
	default:
		serve(protocols, out)
	}
}

// list writes the descriptions of all listed rows.
func list(protocols []*model.Protocol, out *json.Encoder) {
	for i, p := range protocols {
		for j := range len(p.Checks) + len(p.Deep) {
			out.Encode(describe(protocols, Row{Protocol: i, Check: j}))
		}
	}
}

// serve checks the rows that it reads.
func serve(protocols []*model.Protocol, out *json.Encoder) {
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

// check returns the check of a row, and reports whether it is one of the protocol's Deep.
func (r Row) check(p *model.Protocol) (c model.Check, deep bool) {
	switch {
	case r.Given != nil:
		return r.Given.check(), false
	case r.Check < len(p.Checks):
		return p.Checks[r.Check], false
	}
	return p.Deep[r.Check-len(p.Checks)], true
}

// describe returns the description of a row.
func describe(protocols []*model.Protocol, r Row) Answer {
	p := protocols[r.Protocol]
	c, deep := r.check(p)
	a := Answer{Row: r, Name: p.Name, Deep: deep}
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

// options returns the options of a row's check.
func (r Row) options() checker.Options {
	opt := checker.Options{Seed: 1, Workers: 1, MaxStates: r.MaxStates, Timeout: r.Timeout}
	if r.Stop {
		stop := make(chan struct{})
		end := sync.OnceFunc(func() { close(stop) })
		opt.NoMinimize, opt.Interrupt = true, stop
		opt.Violated = func(_ *checker.Row, c checker.ClaimResult) {
			if !slices.Contains(r.Known, c.Name) {
				end()
			}
		}
	}
	return opt
}

func answer(protocols []*model.Protocol, r Row) Answer {
	a := describe(protocols, r)
	p := protocols[r.Protocol]
	c, _ := r.check(p)
	start := time.Now()
	rows, err := checker.Check(p, c, r.options())
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
			a.Claims = append(a.Claims, claimOf(c))
		}
	}
	return a
}

// claimOf returns the result of a claim as a [Claim].
func claimOf(c checker.ClaimResult) Claim {
	return Claim{
		Name: c.Name, Kind: c.Kind, Verdict: string(c.Verdict), Finding: c.Finding, Limit: c.Limit.String(), Text: c.Text, Steps: c.Steps,
		Lost:   c.Verdict == checker.Violated && c.Steps == 0 && strings.HasPrefix(c.Text, "the recorded finding "),
		Tested: c.Witnessed || c.Vacuous != "",
	}
}
