package host

import (
	"errors"
	"fmt"
	"strings"

	"contend/program/wasm"
)

// An Exit is the end of a program by os.Exit, or because main returned.
type Exit struct {
	Code   int
	Output string // what the program wrote last to its standard error and output
}

func (e *Exit) Error() string { return fmt.Sprintf("the program exits with code %d", e.Code) }

// A Failure is the end of a program by a panic, or by a fatal error of the Go runtime.
type Failure struct {
	Text  string // the first line that says why
	Trace string // what the program wrote last to its standard error: the goroutines among it, where the runtime wrote them
}

func (f *Failure) Error() string { return f.Text }

// errExit unwinds an instance that exits.
var errExit = errors.New("exit")

// failure says how a call into an instance ended.
func (in *Instance) failure(err error) error {
	if err == nil {
		return nil
	}
	if in.ended != nil {
		end := in.ended
		in.ended, end.Output = nil, string(in.errors)
		// The Go runtime exits with code 2 after a panic or a fatal error.
		if end.Code != 2 || in.cause() == "" {
			return end
		}
	}
	if in.global.Spent() {
		return &Failure{Text: "it does not come to rest: its loops go round more than " + fmt.Sprint(wasm.Passes) + " times in a step, in " + functions(err.Error()), Trace: string(in.errors) + "\n" + err.Error()}
	}
	f := &Failure{Text: in.cause(), Trace: string(in.errors)}
	if f.Text == "" {
		f.Text, _, _ = strings.Cut(err.Error(), "\n")
	}
	return f
}

// functions lists the functions of the stack that an error tells of, the innermost first, outside of the Go runtime.
func functions(stack string) string {
	var all []string
	for line := range strings.Lines(stack) {
		name, is := strings.CutPrefix(line, "\t.")
		name, _, _ = strings.Cut(name, "(")
		if is && !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "wasm_") && strings.Contains(name, ".") {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return "the Go runtime"
	}
	return strings.Join(all[:min(len(all), 4)], ", called by ")
}

// cause finds the line in which the Go runtime says why it ends the program, "" if there is none.
func (in *Instance) cause() string {
	for line := range strings.Lines(string(in.errors)) {
		for _, prefix := range []string{"panic: ", "fatal error: ", "runtime: out of memory"} {
			if strings.HasPrefix(line, prefix) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}
