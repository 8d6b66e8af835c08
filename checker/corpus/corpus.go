// Package corpus turns traces into inputs of fuzz targets: the bytes from which a [checker.Target] makes the very
// run that a trace records, as an entry of the corpus of go test -fuzz.
//
// A run asks for choices one after the other, and does not say what each is for. So the bytes are found by trial:
// choices.go lists those that a run was asked for, system.go looks for the ones that pick the system, and steps.go for
// those of each step, given all before it.
package corpus

import (
	"fmt"

	"contend/checker"
	"contend/traces"
)

// Entry returns the bytes from which a target makes a run that begins with the steps of a trace. Where the trace
// violates a claim in its last step, and the target watches that claim, it is that very run. The error
// says in a sentence why there are none: the target makes no runs of that system, or none that take such a step.
func Entry(tg checker.Target, t *traces.Trace) ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if t.Protocol != tg.Protocol.Name {
		return nil, fmt.Errorf("protocol is %.60q, but the target is of %s", t.Protocol, tg.Protocol.Name)
	}
	begun, err := system(tg, t)
	if err != nil {
		return nil, err
	}
	r, err := newRunner(tg, t, begun)
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

// Write returns an entry as the file of a corpus has it: testdata/fuzz/FuzzName/ANY-NAME.
func Write(entry []byte) []byte {
	return fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", entry)
}
