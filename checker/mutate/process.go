package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"contend/checker/mutate/schemata"
)

// A process is a run of an instrumented program.
type process struct {
	program string
	args    []string
	dir     string
	timeout time.Duration
	memory  int64  // bytes; 0 is no limit
	mutant  int    // 0 is the original
	reached string // output file for reached mutants, or ""
}

// A result is the result of a process.
type result struct {
	out, err  string
	code      int
	timedOut  bool
	seconds   float64
	cancelled bool
}

// outOfMemory reports whether the process exceeded its memory.
func (e result) outOfMemory() bool { return e.code == schemata.OutOfMemory }

// run runs a process until its end or its timeout.
func (p process) run(ctx context.Context) result {
	limited, cancel := context.WithCancel(ctx)
	if p.timeout > 0 {
		cancel()
		limited, cancel = context.WithTimeout(ctx, p.timeout)
	}
	defer cancel()
	c := p.command(limited)
	var out, errs prefix
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	err := c.Run()
	e := result{out: out.String(), err: errs.String(), seconds: time.Since(start).Seconds()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		e.cancelled = true
	case limited.Err() != nil:
		e.timedOut = true
	case errors.As(err, &exit):
		e.code = exit.ExitCode()
	case err != nil:
		e.code, e.err = -1, err.Error()
	}
	return e
}

// command returns the process's command.
func (p process) command(ctx context.Context) *exec.Cmd {
	c := exec.CommandContext(ctx, p.program, p.args...)
	c.Dir, c.WaitDelay = p.dir, time.Second
	c.Env = append(os.Environ(), schemata.Choose+"="+strconv.Itoa(p.mutant), schemata.Reached+"="+p.reached)
	if p.memory > 0 {
		c.Env = append(c.Env, schemata.Memory+"="+strconv.FormatInt(p.memory, 10), fmt.Sprintf("GOMEMLIMIT=%d", p.memory*9/10))
	}
	return c
}

// A prefix is a writer that stores the first megabyte and ignores the rest.
type prefix struct{ bytes.Buffer }

func (p *prefix) Write(b []byte) (int, error) {
	const most = 1 << 20
	if room := most - p.Len(); room > 0 {
		p.Buffer.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// readReached reads the numbers of the reached mutants.
func readReached(path string) (map[int]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	all := map[int]bool{}
	for _, word := range strings.Fields(string(text)) {
		if n, err := strconv.Atoi(word); err == nil {
			all[n] = true
		}
	}
	return all, nil
}
