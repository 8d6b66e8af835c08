package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"contend/checker/mutate/driver"
	"contend/checker/plant"
)

// Limits of a row with an edit relative to the row without it: in states and in CPU time. They are generous: a
// larger state space alone is no bug. CPU time does not depend on what else the machine does, as wall time does.
const (
	statesFactor, statesMore = 20, 50_000
	timeFactor               = 20
	timeMore                 = time.Minute
)

// A bench has a protocol's rows, as they are without an edit.
type bench struct {
	ctx              context.Context
	module, protocol string
	dir              string          // temporary
	rows             []driver.Answer // with the fewest steps first
}

// newBench checks the rows of a protocol. The caller calls close once the bench is not needed.
func newBench(ctx context.Context, module, protocol string) (b *bench, close func(), err error) {
	b = &bench{ctx: ctx, module: module, protocol: protocol}
	if b.dir, err = os.MkdirTemp("", "planted"); err != nil {
		return nil, nil, err
	}
	close = func() { os.RemoveAll(b.dir) }
	if err := b.check(); err != nil {
		close()
		return nil, nil, err
	}
	return b, close, nil
}

// check checks the rows without an edit.
func (b *bench) check() error {
	program, err := b.build(nil)
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(b.ctx, program, "-list").Output()
	if err != nil {
		return fmt.Errorf("%s: listing its checks: %w", b.protocol, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var a driver.Answer
		if err := d.Decode(&a); err != nil {
			return err
		}
		if a.Deep {
			continue
		}
		answer, ended := b.run(program, a.Row, 0)
		if ended != "" || answer.Error != "" {
			return fmt.Errorf("%s: %s%s", answer.Bounds, ended, answer.Error)
		}
		if o := judge(driver.Answer{}, answer, ""); o.kind == caught {
			return fmt.Errorf("the protocol fails without an edit: %s: %s", answer.Bounds, o.text)
		}
		b.rows = append(b.rows, answer)
	}
	slices.SortStableFunc(b.rows, func(a, b driver.Answer) int { return cmp.Compare(a.Steps, b.Steps) })
	return nil
}

// build builds the program that checks the protocol's rows, with edits.
func (b *bench) build(edits []plant.Edit) (program string, err error) {
	files, err := plant.Apply(b.module, edits)
	if err != nil {
		return "", err
	}
	pkg := packageDir(b.protocol)
	const main = "contendplanted"
	files[pkg+"/"+main+"/main.go"] = fmt.Sprintf("package main\n\nimport (\n\t%q\n\tp %q\n)\n\nfunc main() { driver.Main(p.Protocol) }\n",
		reflect.TypeFor[driver.Row]().PkgPath(), "contend/"+pkg)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range files {
		at := filepath.Join(b.dir, fmt.Sprintf("%d.go", len(overlay.Replace)))
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(b.module, filepath.FromSlash(file))] = at
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	list := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(b.dir, "program")
	c := exec.CommandContext(b.ctx, "go", "build", "-overlay", list, "-o", program, "./"+pkg+"/"+main)
	c.Dir = b.module
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not build: %w: %s", err, bytes.TrimSpace(out))
	}
	return program, nil
}

// plant builds the program with an entry's edits and runs it on the rows. It ends with the first row that
// violates a claim, unless all is set.
func (b *bench) plant(e entry, all bool) (r result) {
	program, err := b.build(e.edits)
	if err != nil {
		return result{outcome: outcome{kind: misfit, text: err.Error()}}
	}
	for _, row := range b.rows {
		limited := row.Row
		limited.MaxStates = statesFactor*row.States + statesMore
		limited.Timeout = 0 // the process has a limit of CPU time
		limit := timeFactor*time.Duration(row.Seconds*float64(time.Second)) + timeMore
		answer, ended := b.run(program, limited, limit)
		o := judge(row, answer, ended)
		o.row = row.Bounds
		r.rows = append(r.rows, o)
		if o.stronger(r.outcome) {
			r.outcome = o
		}
		if b.ctx.Err() != nil || o.kind == caught && !o.limit && !all {
			break
		}
	}
	return r
}

// run checks a row in a process with a limit of CPU time; a limit of 0 is none. Ended is the reason why there is
// no answer, or "".
func (b *bench) run(program string, row driver.Row, limit time.Duration) (a driver.Answer, ended string) {
	text, err := json.Marshal(row)
	if err != nil {
		return a, err.Error()
	}
	c := exec.CommandContext(b.ctx, program)
	if limit > 0 {
		c = exec.CommandContext(b.ctx, "sh", "-c", `ulimit -t "$0" && exec "$1"`, fmt.Sprint(int(limit.Seconds())), program)
	}
	c.Stdin, c.WaitDelay = bytes.NewReader(text), time.Second
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return a, err.Error()
	}
	if json.Unmarshal(out, &a) == nil {
		return a, ""
	}
	if limit > 0 && c.ProcessState.UserTime()+c.ProcessState.SystemTime() >= limit-time.Second {
		return a, tooLong
	}
	first, _, _ := strings.Cut(errs.String(), "\n")
	return a, "the program crashes: " + first
}

// moduleDir returns the directory of the module in which the program runs.
func moduleDir(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(string(bytes.TrimSpace(out))), nil
}
