package host

import (
	"errors"
	"fmt"
	"strings"

	"contend/program/guest"
	"contend/program/wasm"
)

// errExit unwinds an instance that exits.
var errExit = errors.New("exit")

// failure says how a call into an instance ended.
func (in *Instance) failure(err error) error {
	if err == nil {
		return nil
	}
	if in.ended != nil {
		code := *in.ended
		in.ended = nil
		return guest.Ended(code, string(in.errors))
	}
	if in.global.Spent() {
		return &guest.Failure{Text: "it does not come to rest: its loops go round more than " + fmt.Sprint(wasm.Passes) + " times in a step, in " + functions(err.Error()), Trace: string(in.errors) + "\n" + err.Error()}
	}
	f := &guest.Failure{Text: guest.Cause(string(in.errors)), Trace: string(in.errors)}
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
