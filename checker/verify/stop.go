package verify

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// stopped returns a channel that is closed when the user asks to stop, by Ctrl-C, by SIGTERM, or by
// closing the terminal, so that what is known is told and checkpoints are kept. The second time
// ends the process at once; files that a search made for itself have no names, and go with it.
func stopped(stderr io.Writer) (interrupt <-chan struct{}, stop func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	heard, closed, over := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(heard, signals...)
	go func() {
		defer signal.Stop(heard)
		select {
		case s := <-heard:
			close(closed)
			fmt.Fprintf(stderr, "verify: %v: stopping; once more ends it at once\n", s)
		case <-over:
		}
	}()
	return closed, func() { close(over) }
}
