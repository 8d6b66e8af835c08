// Package corpus converts traces to inputs of fuzz targets: bytes from which a [checker.Target] makes the run
// of the trace, as an entry of the corpus of go test -fuzz.
//
// A run does not tell the purpose of its choices, so the bytes are found by trial. choices.go records the
// choices of a run. system.go searches for the choices of the trace's system, and steps.go for those of each
// step, after all before it.
package corpus

import (
	"fmt"

	"contend/checker"
	"contend/traces"
)

// Entry returns bytes from which a target makes a run that begins with a trace's steps. The run equals the
// trace if the trace violates a claim in its last step, and the target watches the claim. The error is one
// sentence: the target has no runs of the system, or none with some step.
func Entry(tg checker.Target, t *traces.Trace) ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if t.Protocol != tg.Protocol.Name {
		return nil, fmt.Errorf("protocol is %.60q, but the target is of %s", t.Protocol, tg.Protocol.Name)
	}
	picked, err := system(tg, t)
	if err != nil {
		return nil, err
	}
	r, err := newRunner(tg, t, picked)
	if err != nil {
		return nil, err
	}
	for k := range t.Steps {
		if err := r.extend(k); err != nil {
			return nil, err
		}
	}
	return encode(r.made), nil
}

// Write returns an entry in the format of a corpus file, testdata/fuzz/FuzzName/NAME.
func Write(entry []byte) []byte {
	return fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", entry)
}
