//go:build wasip1 && contend

package concurrent

import (
	"encoding/json"
	"os"
	"testing"
	"unsafe"

	"contend/program/concurrent/litmus"
)

//go:wasmimport contend where
func tells(function *byte, size uint32, file *byte, fileSize uint32, line uint32)

// TestOracle runs a program, and tells the host what its goroutines see.
func TestOracle(t *testing.T) {
	p := &litmus.Program{}
	if err := json.Unmarshal([]byte(os.Getenv(programVariable)), p); err != nil {
		t.Fatal(err)
	}
	Options{}.Test(t, func() {
		p.Run(func(g, at, sees int) {
			mark := unsafe.StringData(litmusMark)
			tells(mark, uint32(len(litmusMark)), mark, 0, uint32(g<<16|at<<8|sees))
		})
	})
}
