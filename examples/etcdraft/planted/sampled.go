package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// A Sampling is the effort of sampled schedules to break the claim of a bug.
type Sampling struct {
	Bug
	Most     int     // schedules that are sampled with a seed
	Found    []int64 // of each seed that finds the bug, the number of its first schedule that breaks the claim, sorted
	Seeds    int
	CPU      []time.Duration // of each seed, sorted
	Diverges string          // where the library without the bug leaves the first run that was found
}

// caught reports whether every seed finds the bug, by a run that the library without the bug does not take.
func (s Sampling) caught() bool { return len(s.Found) == s.Seeds && s.Diverges != "" }

// sampleAll samples schedules with each bug, one after the other, with the seeds from 1 on.
func sampleAll(chosen []Bug, seeds, most int, progress io.Writer) (all []Sampling, err error) {
	err = inWorkshop(func(w *Workshop, sound string) error {
		for _, b := range chosen {
			s, err := w.Sample(b, sound, seeds, most)
			if err != nil {
				return err
			}
			all = append(all, s)
			fmt.Fprintf(progress, "%s: found with %d of %d seeds\n", b.Name, len(s.Found), s.Seeds)
		}
		return nil
	})
	return all, err
}

// Sample samples schedules with each of the seeds from 1 on, at most most schedules a seed. The command sound
// has no bug.
func (w *Workshop) Sample(b Bug, sound string, seeds, most int) (Sampling, error) {
	s := Sampling{Bug: b, Seeds: seeds, Most: most}
	command, err := w.Build(b)
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(filepath.Dir(command))
	for seed := range seeds {
		r, c, err := w.row(b, command, "run", "--time", "untimed", "--schedules", strconv.Itoa(most), "--seed", strconv.Itoa(seed+1), "--workers=1", "--no-minimize")
		if err != nil {
			return s, err
		}
		if s.CPU = append(s.CPU, r.cpu); c.Found == nil {
			continue
		}
		if s.Found = append(s.Found, c.Found.Schedule); s.Diverges == "" {
			if s.Diverges, err = diverges(b, command, sound, c.Trace); err != nil {
				return s, err
			}
		}
	}
	slices.Sort(s.Found)
	slices.Sort(s.CPU)
	return s, nil
}

// schedules returns the median number of schedules up to the violation, and the range. A seed without a
// violation counts as more than all its schedules.
func (s Sampling) schedules() (median, span string) {
	at := func(place int) string {
		if place < len(s.Found) {
			return fmt.Sprint(s.Found[place])
		}
		return fmt.Sprintf("> %d", s.Most)
	}
	if len(s.Found) == 0 {
		return at(0), "–"
	}
	return at((s.Seeds - 1) / 2), at(0) + " to " + at(s.Seeds-1)
}

// cells returns a row of the table of samplings.
func (s Sampling) cells() []string {
	median, span := s.schedules()
	if s.Diverges == "" && len(s.Found) > 0 {
		span += ", and without the bug as well"
	}
	return []string{s.Name, s.Claim, fmt.Sprintf("%d of %d", len(s.Found), s.Seeds), median, span, fmt.Sprintf("%.2f", s.CPU[(s.Seeds-1)/2].Seconds()), s.Row}
}

var sampledHead = []string{"BUG", "CLAIM", "FOUND", "SCHEDULES", "LEAST TO MOST", "CPU SECONDS", "BOUNDS"}

// writeSampled writes the table of samplings. Numbers are medians of the seeds.
func writeSampled(w io.Writer, all []Sampling, markdown bool) {
	if markdown {
		markdownLine(w, lower(sampledHead))
		markdownRule(w, len(sampledHead))
		for _, s := range all {
			markdownLine(w, quoted(s.cells()))
		}
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	fmt.Fprintln(t, strings.Join(sampledHead, "\t"))
	for _, s := range all {
		fmt.Fprintln(t, strings.Join(s.cells(), "\t"))
	}
}
