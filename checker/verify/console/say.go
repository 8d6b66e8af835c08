package console

import (
	"fmt"
	"io"
)

// Program is the name of the running program, for its messages. [contend/checker/verify.Main] sets it.
var Program = "verify"

// Say prints a message of the program on stderr, such as a warning or an error.
func Say(stderr io.Writer, format string, args ...any) {
	fmt.Fprintf(stderr, Program+": "+format+"\n", args...)
}
