package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"contend/checker/conform"
	"contend/checker/conform/mapping"
	"contend/checker/plant"
	"contend/examples/etcdraft/traced"
	"contend/model"
)

// A Logged is what the validation of the library's own trace logs tells of a bug.
type Logged struct {
	Bug
	Logs    int
	Refused int // logs that are not explained
	Panics  int // logs that end with a panic of the library
	Open    int // inconclusive validations
	Entries int // of all logs
	// Line, Entry and Reason are those of the first unexplained entry of the first such log.
	Line          int
	Entry, Reason string
}

// sound is the library without a bug. Each of its logs has to be explained.
var sound = Bug{Name: "none"}

// hurry is an edit without which the library waits a millisecond before it logs each received message.
var hurry = plant.Edit{File: "state_trace.go", Old: "time.Sleep(time.Millisecond) // sleep", New: "_ = time.Sleep // sleep"}

// logAll validates logs of the library without a bug, and with each bug.
func logAll(chosen []Bug, logs, entries int, progress io.Writer) (all []Logged, err error) {
	dir, err := os.MkdirTemp("", "planted")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := Open(".", dir)
	if err != nil {
		return nil, err
	}
	for _, b := range append([]Bug{sound}, chosen...) {
		l, err := w.Log(b, logs, entries)
		if err != nil {
			return nil, fmt.Errorf("bug %s: %w", b.Name, err)
		}
		all = append(all, l)
		fmt.Fprintf(progress, "%s: %d of %d logs not explained\n", b.Name, l.Refused, l.Logs)
	}
	return all, nil
}

// Log builds the cluster in memory with a bug, and validates its logs of the seeds from 1 on. A cluster has 3 to 5 members.
func (w *Workshop) Log(b Bug, logs, entries int) (Logged, error) {
	l := Logged{Bug: b, Logs: logs}
	program := filepath.Join(w.dir, "tracelog")
	err := w.Plant(append(b.edits(), hurry)...)
	if err == nil {
		_, err = w.Go(append(append([]string{"build"}, w.Flags()...), "-tags", "with_tla", "-o", program, "./tracelog")...)
	}
	for seed := 1; err == nil && seed <= logs; seed++ {
		err = l.add(program, seed, entries)
	}
	return l, err
}

// add validates one log.
func (l *Logged) add(program string, seed, entries int) error {
	members := 3 + seed%3
	out, err := exec.Command(program, "-seed", strconv.Itoa(seed), "-n", strconv.Itoa(members), "-entries", strconv.Itoa(entries)).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 3 {
		l.Panics++
	} else if err != nil {
		return err
	}
	r, err := validated(members, out)
	if err != nil {
		return fmt.Errorf("seed %d: %w", seed, err)
	}
	l.Entries += r.Entries
	switch r.Verdict {
	case conform.Inconclusive:
		l.Open++
	case conform.NotExplained:
		if l.Refused++; l.Refused == 1 {
			s := r.Stuck[0]
			l.Line, l.Entry, l.Reason = s.Line, eventOf(s.Entry), s.Reason
		}
	}
	return nil
}

// validated validates a log of some members.
func validated(members int, log []byte) (*conform.Result, error) {
	table, err := mapping.Read(traced.Mapping)
	if err != nil {
		return nil, err
	}
	return conform.Validate(traced.Protocol, "", model.Config{N: members}, conform.Options{Map: table.Entries, Unbuffered: true},
		conform.Source{Name: "trace", Reader: bytes.NewReader(log)})
}

// eventOf returns the name of the event of an entry.
func eventOf(entry string) string {
	_, name, _ := strings.Cut(entry, `"name":"`)
	name, _, _ = strings.Cut(name, `"`)
	return name
}

// caught reports whether some log is not explained; without a bug, whether one is.
func (l Logged) caught() bool { return l.Refused > 0 && l.Name != sound.Name }

// passes reports whether the logs of a library without a bug are all explained, or some log of a bug is not.
func (l Logged) passes() bool {
	if l.Name == sound.Name {
		return l.Refused+l.Open+l.Panics == 0
	}
	return l.caught()
}

// writeLogged writes the table of logs in Markdown.
func writeLogged(w io.Writer, all []Logged) {
	titles := []string{"bug", "not explained", "panics", "first unexplained entry", "why"}
	markdownLine(w, titles)
	markdownRule(w, len(titles))
	for _, l := range all {
		at := ""
		if l.Refused > 0 {
			at = fmt.Sprintf("%d, %s", l.Line, l.Entry)
		}
		markdownLine(w, []string{"`" + l.Name + "`", fmt.Sprintf("%d of %d", l.Refused, l.Logs), number(uint64(l.Panics)), at, l.Reason})
	}
}
