package gofuzz

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
)

// minimizeFlag is the flag for the time that go test spends on minimizing an input.
const minimizeFlag = "test.fuzzminimizetime"

// MinimizeLittle restricts the fuzzer to one attempt at minimizing an input, unless the user sets
// -fuzzminimizetime. By default the fuzzer spends up to a minute on each input with new coverage. The
// coverage of a run varies, so it would hardly run anything else.
func MinimizeLittle() error {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == minimizeFlag })
	f := flag.Lookup(minimizeFlag)
	if given || f == nil {
		return nil
	}
	return f.Value.Set("1x")
}

// Worker reports whether this process is a worker of a fuzzing coordinator. The coordinator reports failures.
func Worker() bool {
	f := flag.Lookup("test.fuzzworker")
	return f != nil && f.Value.String() == "true"
}

// Crashers returns the names of a target's stored inputs.
func Crashers(target string) map[string]bool {
	names := map[string]bool{}
	entries, err := os.ReadDir(filepath.Join("testdata", "fuzz", target))
	if err != nil {
		return names // there are none yet
	}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// NewCrashers returns a target's stored inputs that were not stored before.
func NewCrashers(target string, before map[string]bool) (inputs [][]byte) {
	for name := range Crashers(target) {
		if before[name] {
			continue
		}
		if data, ok := readInput(filepath.Join("testdata", "fuzz", target, name)); ok {
			inputs = append(inputs, data)
		}
	}
	return inputs
}

// readInput reads the single value of an input, []byte("...") in the second line.
func readInput(file string) ([]byte, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	_, line, _ := bytes.Cut(text, []byte("\n"))
	line, begins := bytes.CutPrefix(bytes.TrimSpace(line), []byte("[]byte("))
	line, ends := bytes.CutSuffix(line, []byte(")"))
	data, err := strconv.Unquote(string(line))
	return []byte(data), begins && ends && err == nil
}
