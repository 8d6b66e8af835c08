// Command table runs each kernel of examples/goker with several tools. It prints a Markdown table of the
// tools that find its bug.
//
// Run it in the directory of the module. It takes some minutes. Package program/concurrent runs its
// schedules. The other tools run the kernel up to 100 times, each time in a new process with a time-out,
// since a deadlock hangs. They run it plainly, with the race detector, with a count of goroutines after each
// run, and in a bubble of testing/synctest. They run the repaired kernels, too: a report about a repaired
// kernel is a false alarm, and does not count.
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"contend/examples/goker"
)

var (
	runs    = flag.Int("count", 100, "how often the other tools run a kernel")
	timeout = flag.Duration("timeout", 10*time.Second, "after how long a process hangs")
	beside  = flag.Int("beside", 2, "how many processes run at a time")
	write   = flag.Bool("w", false, "also put the table into README.md")
)

// A tool runs a kernel in a process.
type tool struct {
	name   string
	binary string // of the tests
	test   string
}

// A finding is a tool's report about a kernel, with the number of the run. It is empty if the tool reports
// nothing.
type finding struct {
	what  string
	run   int
	alarm bool // the tool reports the repaired kernel, too
}

func (f finding) String() string {
	switch {
	case f.alarm:
		return "false alarm"
	case f.what == "":
		return "–"
	}
	return fmt.Sprintf("%s, %d", f.what, f.run)
}

// found reports whether the tool finds the bug.
func (f finding) found() bool { return f.what != "" && !f.alarm }

func main() {
	flag.Parse()
	var text bytes.Buffer
	err := table(&text)
	if err == nil {
		_, err = os.Stdout.Write(text.Bytes())
	}
	if err == nil && *write {
		err = put(text.String())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The markers around the table in README.md.
const (
	begins = "<!-- begin: go run ./table -->\n"
	ends   = "<!-- end -->\n"
)

// parts returns README.md up to the table, the table, and the text after the table.
func parts(readme string) (before, table, after string, err error) {
	before, rest, is := strings.Cut(readme, begins)
	table, after, ended := strings.Cut(rest, ends)
	if !is || !ended {
		err = fmt.Errorf("README.md has no %s and %s", strings.TrimSpace(begins), strings.TrimSpace(ends))
	}
	return before, table, after, err
}

// put writes the table into README.md.
func put(table string) error {
	text, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	before, _, after, err := parts(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile("README.md", []byte(before+begins+table+ends+after), 0o644)
}

// table prints the table.
func table(to io.Writer) error {
	found, err := contend()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "goker")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	plain, raced := filepath.Join(dir, "plain.test"), filepath.Join(dir, "race.test")
	for _, args := range [][]string{{"-o", plain}, {"-race", "-o", raced}} {
		build := exec.Command("go", append(append([]string{"test", "-c"}, args...), "./native")...)
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", build, err, text)
		}
	}
	tools := []tool{
		{"plain", plain, "TestPlain"},
		{"`-race`", raced, "TestPlain"},
		{"goroutines left", plain, "TestLeft"},
		{"synctest", plain, "TestBubble"},
	}
	findings := runAll(tools)
	fmt.Fprintf(to, "| bug | kind | Contend | `NoRaces` |")
	for _, t := range tools {
		fmt.Fprintf(to, " %s |", t.name)
	}
	columns := len(ways) + len(tools)
	fmt.Fprintf(to, "\n|---|---|%s\n", strings.Repeat("---|", columns))
	sums := make([]int, columns)
	for i, k := range goker.Kernels {
		fmt.Fprintf(to, "| %s | %s |", k.Link(), k.What)
		var row []finding
		for _, way := range ways {
			row = append(row, found[[2]string{way, k.Name}])
		}
		for j, f := range append(row, findings[i]...) {
			if f.found() {
				sums[j]++
			}
			fmt.Fprintf(to, " %v |", f)
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintf(to, "| found, of %d | |", len(goker.Kernels))
	for _, n := range sums {
		fmt.Fprintf(to, " %d |", n)
	}
	fmt.Fprintln(to)
	return nil
}

// logged is a line of the tests of package goker.
var logged = regexp.MustCompile(`(\w+): (races|no races): (.*) after (\d+) schedules`)

// ways are how package program/concurrent runs, as its tests log it.
var ways = []string{"races", "no races"}

// contend runs package program/concurrent. It returns its findings by way and kernel.
func contend() (map[[2]string]finding, error) {
	test := exec.Command("go", "test", "-v", "-count=1", "-timeout=30m", "-run=^TestBugs$", ".")
	text, err := test.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", test, err, text)
	}
	found := map[[2]string]finding{}
	for _, m := range logged.FindAllStringSubmatch(string(text), -1) {
		n, _ := strconv.Atoi(m[4])
		found[[2]string{m[2], m[1]}] = finding{what: m[3], run: n}
	}
	return found, nil
}

// runAll runs each kernel and its repair by each tool.
func runAll(tools []tool) [][]finding {
	findings := make([][]finding, len(goker.Kernels))
	var wg sync.WaitGroup
	places := make(chan struct{}, *beside)
	for i, k := range goker.Kernels {
		findings[i] = make([]finding, len(tools))
		for j, t := range tools {
			wg.Go(func() {
				places <- struct{}{}
				defer func() { <-places }()
				f := t.run(k.Name, false)
				f.alarm = t.run(k.Name, true).what != ""
				findings[i][j] = f
			})
		}
	}
	wg.Wait()
	return findings
}

// run runs a kernel until something is found.
func (t tool) run(kernel string, repaired bool) finding {
	ctx, cancel := context.WithTimeout(context.Background(), 3**timeout)
	defer cancel()
	process := exec.CommandContext(ctx, t.binary, "-test.v", "-test.failfast", "-test.run=^"+t.test+"$", fmt.Sprint("-test.count=", *runs),
		fmt.Sprint("-test.timeout=", *timeout), "-kernel="+kernel, fmt.Sprint("-repaired=", repaired))
	text, err := process.CombinedOutput()
	if err == nil {
		return finding{}
	}
	begun := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "=== RUN") {
			begun++
		}
	}
	return finding{what: what(string(text)), run: begun}
}

// what returns the message of a process that fails.
func what(text string) string {
	for _, c := range []struct{ says, means string }{
		{"WARNING: DATA RACE", "race"},
		{"goroutines are left", "left"},
		{"test timed out", "hangs"},
		{"panic: deadlock: ", "deadlock"},
		{"all goroutines are asleep", "deadlock"},
		{"panic: ", "panic"},
		{"fatal error: ", "panic"},
	} {
		if strings.Contains(text, c.says) {
			return c.means
		}
	}
	return "failed"
}
