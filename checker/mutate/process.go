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

// A process is one run of an instrumented program.
type process struct {
	program string
	args    []string
	dir     string
	timeout time.Duration
	memory  int64  // bytes; 0: no limit
	mutant  int    // 0: the original
	reached string // a file for what is reached, or ""
}

// An ended is what a process came to.
type ended struct {
	out, err  string
	code      int
	timedOut  bool
	seconds   float64
	cancelled bool
}

// outOfMemory reports whether the process ended because it took too much memory.
func (e ended) outOfMemory() bool { return e.code == schemata.OutOfMemory }

// run runs a process to its end, or to that of its time.
func (p process) run(ctx context.Context) ended {
	limited, cancel := context.WithCancel(ctx)
	if p.timeout > 0 {
		cancel()
		limited, cancel = context.WithTimeout(ctx, p.timeout)
	}
	defer cancel()
	c := p.command(limited)
	var out, errs tail
	c.Stdout, c.Stderr = &out, &errs
	start := time.Now()
	err := c.Run()
	e := ended{out: out.String(), err: errs.String(), seconds: time.Since(start).Seconds()}
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

// command is the process before it starts.
func (p process) command(ctx context.Context) *exec.Cmd {
	c := exec.CommandContext(ctx, p.program, p.args...)
	c.Dir, c.WaitDelay = p.dir, time.Second
	c.Env = append(os.Environ(), schemata.Choose+"="+strconv.Itoa(p.mutant), schemata.Reached+"="+p.reached)
	if p.memory > 0 {
		c.Env = append(c.Env, schemata.Memory+"="+strconv.FormatInt(p.memory, 10), fmt.Sprintf("GOMEMLIMIT=%d", p.memory*9/10))
	}
	return c
}

// tail keeps what is written, up to a size.
type tail struct{ bytes.Buffer }

func (t *tail) Write(b []byte) (int, error) {
	const most = 1 << 20
	if room := most - t.Len(); room > 0 {
		t.Buffer.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// met reads the numbers of what was reached.
func met(path string) (map[int]bool, error) {
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
