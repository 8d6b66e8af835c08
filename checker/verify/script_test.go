package verify

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"contend/checker/verdict"
	"contend/checker/verify/console"
)

// exits is the command "exits CODE PROGRAM ARG...": it runs a program that must
// exit with a code. Its output is there for stdout, stderr and cmp. A tool runs in this process, since each start of one
// costs a tenth of a second, unless its verb starts programs or reads the standard input, or its handlers may not return.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if run, is := tools[args[1]]; is && args[1] != "verifyfailing" && !slices.ContainsFunc(args[2:], alone) {
		code = inside(ts, args[1], run, args[2:])
	} else {
		err = ts.Exec(args[1], args[2:]...)
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			code = failed.ExitCode()
		} else {
			ts.Check(err)
		}
	}
	if code != want {
		ts.Fatalf("exit code is %d, not %d", code, want)
	}
}

// alone says of a word of a command line that such a tool needs a process of its own.
func alone(word string) bool {
	return slices.Contains([]string{"explore", "mutate", "plant", "selftest"}, word)
}

// insideOne is held while a tool runs in this process, whose directory, environment and names it uses.
var insideOne sync.Mutex

// inside runs a tool as a process of the script would, and returns its exit code.
func inside(ts *testscript.TestScript, program string, run tooling, args []string) int {
	insideOne.Lock()
	defer insideOne.Unlock()
	here, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(here)
	for _, name := range []string{"COLUMNS", "NO_COLOR", "TMPDIR"} {
		was, there := os.LookupEnv(name)
		ts.Check(os.Setenv(name, ts.Getenv(name)))
		if there {
			defer os.Setenv(name, was)
		} else {
			defer os.Unsetenv(name)
		}
	}
	defer func(tool, name string) { verdict.Tool, console.Program = tool, name }(verdict.Tool, console.Program)
	verdict.Tool, console.Program = program, program
	return Run(run.suite, args, ts.Stdout(), ts.Stderr(), run.more...)
}

// jsonLines is the command "jsonlines KIND FILE COUNT|some": each line of a file is an object of that kind, as
// docs/json.schema.json describes it, and there are so many. The kind "measured" is that which the object
// names.
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	n, schemas := 0, map[string]*jsonschema.Schema{}
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		n++
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		kind := args[0]
		if kind == "measured" {
			kind = object.(map[string]any)["kind"].(string)
		}
		if schemas[kind] == nil {
			schemas[kind] = described(kind)
		}
		ts.Check(schemas[kind].Validate(object))
	}
	if args[2] == "some" && n > 0 {
		return
	}
	if want, err := strconv.Atoi(args[2]); err != nil || n != want {
		ts.Fatalf("there are %d lines, not %s", n, args[2])
	}
}

// schemaFile is where the JSON that the tool prints is described, wherever this process is.
var schemaFile = func() string {
	file, err := filepath.Abs(filepath.Join("..", "..", "docs", "json.schema.json"))
	if err != nil {
		panic(err)
	}
	return file
}()

// described is the schema of one kind of object, but that fields it does not know are refused: who reads
// what is printed passes over them, but each that is printed has to be described.
func described(kind string) *jsonschema.Schema {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		panic(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	closed(schema)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///contend.json", schema); err != nil {
		panic(err)
	}
	return c.MustCompile("file:///contend.json#/$defs/" + kind)
}

// closed makes every object of a schema one of the fields that are described.
func closed(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if _, open := s["additionalProperties"]; s["type"] == "object" && !open {
			s["additionalProperties"] = false
		}
		for _, part := range s {
			closed(part)
		}
	case []any:
		for _, part := range s {
			closed(part)
		}
	}
}
