package program

import (
	"fmt"
	"runtime"

	"contend/model"
	"contend/program/native"
)

// A Kind is a kind of guest.
type Kind int

// The kinds of guests.
const (
	Auto   Kind = iota // Native where possible, otherwise Wasm; a note of the verdict names the kind and the reason
	Wasm               // as WebAssembly, on all platforms
	Native             // within the checker's process, on linux/amd64
)

// Guest is the parameter for [Config.Guest], which protocols list in their Params.
var Guest = model.Param[Kind]{Name: "guest", Meaning: "how programs run: 1 in WebAssembly, 2 natively (linux/amd64); 0 chooses", Most: Native}

// unfit returns the reason why the configuration excludes native guests, or nil.
func (c *Config) unfit() error {
	switch {
	case c.Wasm != "":
		return fmt.Errorf("it is a module that was built elsewhere")
	case c.Overlay != "":
		return fmt.Errorf("Config.Overlay is for WebAssembly")
	case runtime.Compiler != "gc":
		return fmt.Errorf("the checker is built by %s", runtime.Compiler)
	}
	return native.Supported()
}
