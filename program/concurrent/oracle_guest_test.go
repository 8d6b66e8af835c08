//go:build contend && (wasip1 || contend_native)

package concurrent

import (
	"encoding/json"
	"os"
	"testing"
	"unsafe"

	"contend/program/concurrent/litmus"
)

// tells tells the host something.
func tells(text string, number int) {
	where(unsafe.StringData(tellMark), uint32(len(tellMark)), unsafe.StringData(text), uint32(len(text)), uint32(number))
}

// TestOracle runs a program, and tells the host what its goroutines see.
func TestOracle(t *testing.T) {
	p := &litmus.Program{}
	if err := json.Unmarshal([]byte(os.Getenv(programVariable)), p); err != nil {
		t.Fatal(err)
	}
	Options{}.Test(t, func() {
		p.Run(func(g, at, sees int) { tells("", g<<16|at<<8|sees) })
	})
}

// Results runs a body, and tells the host its result. Then there is one more choice, whose state names all that the body has done.
func Results(t *testing.T, o Options, body func() string) (map[litmus.Outcome]int, *Report) {
	o.Test(t, func() {
		tells(body(), 0)
		go func() {}()
	})
	return nil, nil
}
