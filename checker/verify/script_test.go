package verify

import (
	"bufio"
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits is the command "exits CODE PROGRAM ARG...": it runs a program that must
// exit with a code. Its output is there for stdout, stderr and cmp.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code is %d, not %d", code, want)
	}
}

// contracts are the keys that each line of JSON must have. Keys that are left out
// when empty are not among them.
var contracts = map[string]string{
	"row": "schema protocol variant config faults assumes command seed cut time strategy verdict complete states" +
		" transitions depth handlerCalls seconds bytesPerState reductions omission limit claims",
	"claim":  "name kind source verdict witnessed finding trace",
	"mutant": "protocol mutant claim caught strategy schedules states steps seconds trace",
	"list":   "schema protocol title source flags checks claims variants strategies",
	"point": "schema kind protocol variant faulty t runs unfinished amortised median p99 largest last tries messages" +
		" mostTries roundTrip unit",
	"fit":       "schema kind protocol variant faulty of from to linear logLinear power best tail before",
	"statement": "schema kind protocol variant faulty statement text source proof verdict why",
}

// jsonLines is the command "jsonlines CONTRACT FILE COUNT": each line of a file is an
// object that keeps a contract, and there are so many. The contract "measured" is that
// of the object's kind.
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[1])))
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		var object map[string]json.RawMessage
		ts.Check(json.Unmarshal(lines.Bytes(), &object))
		contract := args[0]
		if contract == "measured" {
			ts.Check(json.Unmarshal(object["kind"], &contract))
		}
		keeps(ts, contract, object)
		if args[0] == "row" {
			var claims []map[string]json.RawMessage
			ts.Check(json.Unmarshal(object["claims"], &claims))
			for _, c := range claims {
				keeps(ts, "claim", c)
			}
		}
	}
	ts.Check(lines.Err())
	if want, err := strconv.Atoi(args[2]); err != nil || n != want {
		ts.Fatalf("there are %d lines, not %s", n, args[2])
	}
}

func keeps(ts *testscript.TestScript, contract string, object map[string]json.RawMessage) {
	keys := slices.Collect(maps.Keys(object))
	for _, want := range strings.Fields(contracts[contract]) {
		if !slices.Contains(keys, want) {
			ts.Fatalf("a %s has no key %q: %v", contract, want, keys)
		}
	}
}
