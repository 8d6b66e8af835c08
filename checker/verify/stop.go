package verify

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"contend/checker/verify/console"
)

// graceful is how long signals that follow the first count as the same wish to stop. GNU timeout and service managers signal a
// process and its group, so the tool hears the same signal twice within milliseconds.
const graceful = time.Second

// stopped returns a channel that is closed when the user asks to stop, by Ctrl-C, by SIGTERM, or by
// closing the terminal, so that what is known is told and checkpoints are kept. A further signal that comes [graceful] later or more
// ends the process at once; files that a search made for itself have no names, and go with it. Behind the
// channel heard returns the first signal.
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
