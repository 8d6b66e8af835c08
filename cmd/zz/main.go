package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"contend/checker"
	"contend/impl"
	"contend/traces"
)

func main() {
	states := int64(-1)
	for _, f := range os.Args[1:] {
		if f == "-s" {
			states = 300_000
			continue
		}
		tr, err := traces.Load(f)
		if err != nil {
			fmt.Println(f, err)
			continue
		}
		for _, p := range impl.Suite {
			if p.Name != tr.Protocol || tr.Claim == "" {
				continue
			}
			start := time.Now()
			got, r, err := checker.Minimize(p, tr, checker.Options{Timeout: 120 * time.Second, MaxStates: -1}, nil)
			if err != nil {
				fmt.Println(f, "ERROR", err)
				continue
			}
			took := time.Since(start)
			line := fmt.Sprintf("%s: %s; tried %d refused %d limit %q %v", filepath.Base(f), r, r.Tried, r.Refused, r.Limit, took.Round(time.Millisecond))
			if states > 0 {
				start = time.Now()
				_, r2, err := checker.Minimize(p, got, checker.Options{Timeout: 120 * time.Second, MaxStates: states}, nil)
				line += fmt.Sprintf(" SEARCH %d -> %d %v %s states %d %v %v", r2.From, r2.To, r2.Shortest, r2.SearchLimit, r2.States, time.Since(start).Round(time.Millisecond), err)
				if r2.Shortest {
					line += fmt.Sprintf(" RATIO %.3f", float64(len(got.Steps))/float64(r2.To))
				}
			}
			fmt.Println(line)
		}
	}
}
