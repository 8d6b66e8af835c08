package mutate

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"contend/checker/mutate/schemata"
)

// Consecutive tests form a batch up to a total time of quick. Starting a process takes about overhead.
const (
	quick    = 500 * time.Millisecond
	overhead = 30 * time.Millisecond
)

// A testCase is a test, an example, or a fuzz target with its seeds.
type testCase struct {
	suite    *suite
	name     string
	duration time.Duration
	reaches  map[int]bool
}

// A suite is a package's compiled tests with mutants.
type suite struct {
	path, program, dir string
}

// Tests tries the mutants of packages against tests. The tests run in a copy of the module, since a mutant
// may write files. The error is about invalid input or a failed compilation.
func Tests(opt Options) (*Report, error) {
	b, close, err := begin(opt, schemata.Everything)
	if err != nil {
		return nil, err
	}
	defer close()
	suites, err := b.suites()
	if err != nil {
		return nil, err
	}
	var tests []*testCase
	for _, s := range suites {
		list, err := b.runTests(s)
		if err != nil {
			return nil, err
		}
		tests = append(tests, list...)
	}
	reached := map[int]bool{}
	for _, t := range tests {
		maps.Copy(reached, t.reaches)
		b.report.Rows = append(b.report.Rows, Row{Name: t.suite.path + "." + t.name, Seconds: t.duration.Seconds(), Reaches: len(t.reaches)})
	}
	b.mark(reached)
	o := newOrder()
	b.tryAll(b.planned(), func(_ int, m *Tried) { b.againstTests(tests, o, m) })
	return b.end(), nil
}

// suites compiles the tests, and copies the module in which they run.
func (b *bench) suites() (all []*suite, err error) {
	if len(b.packages) == 0 {
		return nil, errors.New("the named packages have nothing to mutate")
	}
	o, err := newOverlay(b.dir, b.packages)
	if err != nil {
		return nil, err
	}
	patterns := b.opt.Tests
	if len(patterns) == 0 {
		patterns = b.report.Packages
	}
	listed, err := schemata.List(b.opt.Dir, patterns...)
	if err != nil {
		return nil, err
	}
	copied := map[string]string{} // by root of the module
	for i, p := range listed {
		if len(p.Tests) == 0 {
			b.report.Notes = append(b.report.Notes, "left out: "+p.Path+" has no tests")
			continue
		}
		b.progress("compiling tests", i, len(listed))
		s := &suite{path: p.Path, program: filepath.Join(b.dir, fmt.Sprintf("tests%d", i))}
		if err := o.run(p.Dir, "test", "-c", "-vet=off", "-o", s.program, "."); err != nil {
			return nil, err
		}
		if copied[p.Root] == "" {
			copied[p.Root] = filepath.Join(b.dir, fmt.Sprintf("copy%d", len(copied)))
			if err := copyModule(copied[p.Root], p.Root); err != nil {
				return nil, err
			}
		}
		relative, err := filepath.Rel(p.Root, p.Dir)
		if err != nil {
			return nil, err
		}
		s.dir = filepath.Join(copied[p.Root], relative)
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, errors.New("the named packages have no tests")
	}
	return all, nil
}

// copyModule copies a directory, except names that begin with a dot.
func copyModule(to, from string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		hidden := relative != "." && strings.HasPrefix(d.Name(), ".")
		target := filepath.Join(to, relative)
		switch {
		case hidden && d.IsDir():
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case hidden || !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
}

// runTests runs each test of a suite with the original.
func (b *bench) runTests(s *suite) (all []*testCase, err error) {
	listing := b.test(s, ".", 0)
	listing.args = []string{"-test.list", "."}
	list := listing.run(b.ctx)
	if list.code != 0 {
		return nil, fmt.Errorf("the tests of %s cannot be listed: %s", s.path, list.err)
	}
	wanted, err := regexp.Compile(b.opt.Run)
	if err != nil {
		return nil, fmt.Errorf("the names of tests: %w", err)
	}
	names := regexp.MustCompile(`(?m)^(Test|Example|Fuzz)\w*$`).FindAllString(list.out, -1)
	names = slices.DeleteFunc(names, func(name string) bool { return !wanted.MatchString(name) })
	for i, name := range names {
		if b.ctx.Err() != nil {
			break
		}
		b.progress("running the tests of "+s.path, i, len(names))
		p := b.test(s, "^"+name+"$", 0)
		p.reached, p.timeout = filepath.Join(b.dir, "reached"), b.opt.Most
		e := p.run(b.ctx)
		reaches, err := readReached(p.reached)
		if err != nil {
			return nil, err
		}
		os.Remove(p.reached)
		switch {
		case e.cancelled:
		case e.timedOut:
			b.report.Notes = append(b.report.Notes, fmt.Sprintf("left out: %s.%s takes longer than %v", s.path, name, b.opt.Most))
		case e.code != 0:
			b.report.Notes = append(b.report.Notes, fmt.Sprintf("left out: %s.%s fails without a mutant: %s", s.path, name, flat(e.out+e.err)))
		case len(reaches) > 0:
			all = append(all, &testCase{s, name, time.Duration(e.seconds * float64(time.Second)), reaches})
		}
	}
	return all, nil
}

func flat(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(most, len(text))]
}

// test returns the process for some tests.
func (b *bench) test(s *suite, pattern string, mutant int) process {
	args := []string{"-test.run", pattern, "-test.failfast", "-test.timeout", "0", "-test.paniconexit0"}
	if !b.opt.Full {
		args = append(args, "-test.short")
	}
	return process{program: s.program, args: args, dir: s.dir, memory: b.opt.Memory, mutant: mutant}
}

// againstTests tries a mutant against the tests that reach it, until one fails.
func (b *bench) againstTests(tests []*testCase, o *order, m *Tried) {
	m.Outcome = Survived
	for _, batch := range o.batches(tests, m.Mutant) {
		over, failed := b.tryTests(batch, m)
		if m.Outcome != Untried {
			o.learn(batch, m.Mutant, failed)
		}
		if over {
			return
		}
	}
	if b.ctx.Err() != nil {
		m.Outcome = Untried
	}
}

// tryTests runs tests of one suite with a mutant. Over reports whether the mutant is decided; failed is the
// name of the failed test.
func (b *bench) tryTests(tests []*testCase, m *Tried) (over bool, failed string) {
	var names []string
	took := time.Duration(0)
	for _, t := range tests {
		names, took = append(names, t.name), took+t.duration
	}
	s := tests[0].suite
	p := b.test(s, "^("+strings.Join(names, "|")+")$", m.Number)
	p.timeout = timeFactor*took + timeMore
	e := p.run(b.ctx)
	switch {
	case b.ctx.Err() != nil:
		m.Outcome = Untried
		return true, ""
	case e.code == 0 && !e.timedOut:
		return false, ""
	case e.timedOut:
		m.How, m.By = ByTime, "time-out"
	case e.outOfMemory():
		m.How, m.By = ByTime, "memory"
	default:
		m.How, m.By = ByTest, failing(e.out+e.err, names)
	}
	m.Outcome, m.Where = Caught, s.path
	return true, m.By
}

var failLine = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// failing returns the name of the failed test.
func failing(out string, names []string) string {
	if m := failLine.FindStringSubmatch(out); m != nil {
		return m[1]
	}
	if len(names) == 1 {
		return names[0]
	}
	return "a panic"
}
