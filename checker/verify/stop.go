package verify

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"contend/checker/verify/console"
)

// graceful is the time within which further signals repeat the first one. GNU timeout and service managers signal
// a process and its group, so the tool receives the signal twice within milliseconds.
const graceful = time.Second

// stopped returns a channel that is closed when the user interrupts, by Ctrl-C, by SIGTERM, or by closing the
// terminal. Results and checkpoints are then written. A further signal at least [graceful] later ends the process
// at once; temporary files of a search have no names, and vanish with it. After the interrupt, heard returns the
// first signal.
func stopped(stderr io.Writer) (interrupt <-chan struct{}, heard func() os.Signal, stop func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	come, closed, over := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	var first os.Signal
	signal.Notify(come, signals...)
	go func() {
		defer signal.Stop(come)
		select {
		case first = <-come:
			close(closed)
			console.Say(stderr, "%v: stopping; a signal a second or more later ends the tool at once", first)
			time.Sleep(graceful)
		case <-over:
		}
	}()
	return closed, func() os.Signal { return first }, func() { close(over) }
}
