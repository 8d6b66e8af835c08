package program

import (
	"fmt"
	"runtime"

	"contend/model"
	"contend/program/native"
)

// A Kind is a way in which a program runs.
type Kind int

// The kinds of guests.
const (
	Auto   Kind = iota // Native where that can be, otherwise Wasm; a note of the verdict says which it is, and why
	Wasm               // in WebAssembly, on every platform
	Native             // within the checker's process, on linux/amd64
)

// Guest is the parameter for [Config.Guest], which protocols list in their Params.
var Guest = model.Param[Kind]{Name: "guest", Meaning: "how programs run: 1 in WebAssembly, 2 natively (linux/amd64); 0 chooses", Most: Native}

// unfit returns why a program cannot be a native guest; nil if it can, as far as its configuration tells.
func (c *Config) unfit() error {
	switch {
	case c.Wasm != "":
		return fmt.Errorf("it is a module that was built elsewhere")
	case c.Overlay != "":
		return fmt.Errorf("Config.Overlay is for WebAssembly")
	case c.Yield != 0:
		return fmt.Errorf("Config.Yield is for WebAssembly")
	case runtime.Compiler != "gc":
		return fmt.Errorf("the checker is built by %s", runtime.Compiler)
	}
	return native.Supported()
}
