package console

import (
	"fmt"
	"io"
)

// Program is the name of the program that runs, for what it says of itself. [contend/checker/verify.Main] sets it
// when it starts.
var Program = "verify"

// Say prints a line of the program's own on stderr, such as a warning, an error or what happens next.
func Say(stderr io.Writer, format string, args ...any) {
	fmt.Fprintf(stderr, Program+": "+format+"\n", args...)
}
