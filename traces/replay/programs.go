package replay

import (
	"cmp"
	"fmt"

	"contend/model"
	"contend/model/wrapped"
	"contend/traces"
)

// SamePrograms returns an error that names a program of the trace that has changed since the recording, or nil.
// After a change the trace may still be a run, but only by chance. The result is nil for a trace without
// programs.
func SamePrograms(p *model.Protocol, t *traces.Trace) error {
	if len(t.Programs) == 0 {
		return nil
	}
	s, err := p.System(t.Variant, t.Config.Model())
	if err != nil {
		return err
	}
	now := map[string]wrapped.Origin{}
	for _, o := range wrapped.Origins(s) {
		now[o.Program] = o
	}
	for _, was := range t.Programs {
		origin, ok := now[was.Program]
		switch {
		case !ok:
			return fmt.Errorf("trace: it was recorded with program %.100s, which no node runs now", was.Program)
		case was.Guest != origin.Guest:
			return fmt.Errorf("trace: it was recorded with program %.100s as %s guest, but it is %s guest now: set --guest %d, where the protocol has that flag", was.Program, kind(was.Guest), kind(origin.Guest), number(was.Guest))
		case was.Go != origin.Go && was.Go != "" && origin.Go != "":
			return fmt.Errorf("trace: it was recorded with program %.100s as %.40s builds it, but this is %s: set GOTOOLCHAIN=%.40s", was.Program, was.Go, origin.Go, was.Go)
		case was.Module != origin.Module:
			return fmt.Errorf("trace: it was recorded with module %.12s… of program %.100s, but its sources make module %.12s… now: go back to those of then, or search again",
				was.Module, was.Program, origin.Module)
		}
	}
	return nil
}

// kind returns the name of a kind of guests with its article, and number its number in flags.
func kind(guest string) string { return "a " + cmp.Or(guest, "wasm") }

func number(guest string) int {
	if guest == "" {
		return 1
	}
	return 2
}
