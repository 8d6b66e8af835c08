package gofuzz

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
)

// minimizeFlag is the flag that says for how long go test makes an input smaller.
const minimizeFlag = "test.fuzzminimizetime"

// MinimizeLittle lets the fuzzer try once to make an input smaller, unless the user says how often with
// -fuzzminimizetime. Left to itself it tries for up to a minute whenever an input covers something new, and since what
// a run covers is not quite the same each time, it runs hardly anything else.
func MinimizeLittle() error {
	given := false
	flag.Visit(func(is *flag.Flag) { given = given || is.Name == minimizeFlag })
	is := flag.Lookup(minimizeFlag)
	if given || is == nil {
		return nil
	}
	return is.Value.Set("1x")
}

// Worker reports whether this process makes runs for one that coordinates the fuzzing, which tells of what is found.
func Worker() bool {
	is := flag.Lookup("test.fuzzworker")
	return is != nil && is.Value.String() == "true"
}

// Crashers lists the names of the inputs that go test keeps of a target.
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

// NewCrashers are the inputs that go test keeps of a target now and did not before.
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

// readInput reads the one value of an input: []byte("...") in the second line.
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
