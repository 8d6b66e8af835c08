// Self mutates packages of this repository and tries the mutants against tests.
//
//	go run ./lab/self -sample 200 -seed 1 ./checker/confirm
//	go run ./lab/self -tests ./checker/search/...,./lab/compare ./checker/search/step
//
// It prints the surviving mutants, and a line of statistics. See docs/mutation.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"contend/checker/mutate"
)

func main() {
	var opt mutate.Options
	var tests string
	flag.StringVar(&tests, "tests", "", "the packages whose tests are run, set apart by commas; those that are mutated unless given")
	only := flag.String("only", "", "a file with names of mutants, one a line: no others are tried")
	flag.StringVar(&opt.Run, "run", "", "run the tests whose names this regular expression matches")
	flag.BoolVar(&opt.Full, "full", false, "run the tests without -short")
	flag.DurationVar(&opt.Most, "most", 0, "leave out tests that take longer; 0: none")
	flag.IntVar(&opt.Sample, "sample", 0, "try so many mutants; 0: all")
	flag.Uint64Var(&opt.Seed, "seed", 1, "of the sample")
	flag.IntVar(&opt.Workers, "workers", 1, "mutants that are tried side by side")
	flag.DurationVar(&opt.Timeout, "timeout", 0, "stop after that long")
	flag.Parse()
	opt.Patterns = flag.Args()
	if tests != "" {
		opt.Tests = strings.Split(tests, ",")
	}
	if *only != "" {
		text, err := os.ReadFile(*only)
		if err != nil {
			fmt.Fprintln(os.Stderr, "self:", err)
			os.Exit(2)
		}
		for line := range strings.Lines(string(text)) {
			opt.Only = append(opt.Only, strings.TrimSpace(line))
		}
	}
	last := time.Now()
	opt.Progress = func(p mutate.Progress) {
		if time.Since(last) > 15*time.Second {
			last = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d of %d, %d survive, %v\n", p.What, p.Done, p.Planned, p.Survivors, p.Elapsed.Round(time.Second))
		}
	}
	r, err := mutate.Tests(opt)
	if err != nil {
		fmt.Fprintln(os.Stderr, "self:", err)
		os.Exit(2)
	}
	show(r)
}

func show(r *mutate.Report) {
	for _, n := range r.Notes {
		fmt.Println(n)
	}
	for _, m := range r.Survivors() {
		fmt.Printf("%s:%d: %s (%s)\n\t%s\n\t- %s\n\t+ %s\n", m.File, m.Line, m.Outcome, m.Operator, m.Name, m.Old, m.New)
	}
	for _, s := range r.Stale {
		fmt.Printf("%s:%d: stale: %s: %s\n", s.File, s.Line, s.Name, s.Why)
	}
	slow := 0 // possibly caught only because the machine was busy
	for _, m := range r.Mutants {
		if m.Outcome == mutate.Caught && m.How == mutate.ByTime {
			slow++
		}
	}
	fmt.Printf("%s: %d mutants, %d caught (%d by a time-out or by memory), %d survive, %d unreached, %d in unused functions, %d accepted, %d untried; %.0fs\n",
		strings.Join(r.Packages, " "), len(r.Mutants), r.Count(mutate.Caught), slow, r.Count(mutate.Survived), r.Count(mutate.Unreached), r.Count(mutate.Unused),
		r.Count(mutate.Accepted), r.Count(mutate.Untried), r.Seconds)
}
