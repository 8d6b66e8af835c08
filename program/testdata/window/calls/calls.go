// Package calls writes to TCP connections whose other side does not read, and reports what the writer sees.
package calls

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"syscall"
	"time"
)

// Names lists the cases.
var Names = []string{"deadline", "past", "shortened", "resumed", "closed", "closed by the peer", "read and closed", "half closed", "half closed by the peer", "two writers", "unread"}

// Run runs a case on a new connection of this host to itself. A connection takes fewer than size bytes without a reader.
func Run(name string, size int) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err.Error()
	}
	defer l.Close()
	a, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err.Error()
	}
	defer a.Close()
	b, err := l.Accept()
	if err != nil {
		return err.Error()
	}
	defer b.Close()
	return run(name, &writer{a.(*net.TCPConn), make(chan struct{}), 0, nil}, b.(*net.TCPConn), slices.Repeat([]byte("a"), size))
}

// A writer is a connection with a write that may wait.
type writer struct {
	*net.TCPConn
	done chan struct{}
	n    int
	err  error
}

// start starts a write, and returns when its first byte has arrived.
func (w *writer) start(b net.Conn, all []byte) {
	go func() {
		w.n, w.err = w.Write(all)
		close(w.done)
	}()
	_, _ = io.ReadFull(b, make([]byte, 1))
}

// end waits for the end of the write, and returns its result.
func (w *writer) end(all []byte) string {
	<-w.done
	return result(w.n, w.err, all)
}

func run(name string, a *writer, b *net.TCPConn, all []byte) string {
	switch name {
	case "deadline":
		_ = a.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		n, err := a.Write(all)
		again, errAgain := a.Write(all)
		_ = a.Close()
		return fmt.Sprint(result(n, err, all), "; ", result(again, errAgain, all), "; ", rest(b, n))
	case "past":
		_ = a.SetWriteDeadline(time.Now().Add(-time.Second))
		return result2(a.Write(all))(all)
	case "shortened":
		a.start(b, all)
		_ = a.SetWriteDeadline(time.Now())
		return a.end(all)
	case "resumed":
		a.start(b, all)
		_, _ = io.ReadFull(b, make([]byte, len(all)-1))
		return a.end(all)
	case "closed":
		a.start(b, all)
		_ = a.Close()
		return a.end(all) + "; " + rest(b, a.n-1)
	case "closed by the peer":
		a.start(b, all)
		_ = b.Close()
		return a.end(all)
	case "read and closed":
		a.start(b, all)
		_, _ = io.ReadFull(b, make([]byte, 10))
		_ = b.Close()
		return a.end(all)
	case "half closed":
		a.start(b, all)
		_ = a.CloseWrite()
		return a.end(all) + "; " + result2(a.Write(all))(all) + "; " + rest(b, a.n-1)
	case "half closed by the peer":
		_ = b.CloseWrite()
		a.start(b, all)
		_, err := a.Read(make([]byte, 1))
		return fmt.Sprint(word(err), "; ", rest(io.LimitReader(b, int64(len(all)-1)), len(all)-1), "; ", a.end(all))
	case "two writers":
		return together(a, b, all)
	}
	_, _ = a.Write([]byte("question"))
	_, _ = b.Write([]byte("answer"))
	_, _ = io.ReadFull(b, make([]byte, 1))
	_ = b.Close()
	answer, err := io.ReadAll(a)
	return fmt.Sprint(string(answer), "; ", word(err))
}

// together has two writes at once, and reports whether they mix.
func together(a *writer, b net.Conn, all []byte) string {
	a.start(b, all)
	second := make(chan error)
	go func() {
		_, err := a.TCPConn.Write(bytes.ToUpper(all))
		second <- err
	}()
	got := make([]byte, 2*len(all)-1)
	_, _ = io.ReadFull(b, got)
	return fmt.Sprint(a.end(all), "; ", word(<-second), "; ", bytes.Equal(got, append(bytes.Clone(all[1:]), bytes.ToUpper(all)...)))
}

// rest reports whether the rest of a connection has so many bytes.
func rest(b io.Reader, n int) string {
	got, err := io.ReadAll(b)
	return fmt.Sprint(len(got) == n, " ", word(err))
}

func result2(n int, err error) func(all []byte) string {
	return func(all []byte) string { return result(n, err, all) }
}

// result tells how much was written, and the error.
func result(n int, err error, all []byte) string {
	much := "some"
	switch n {
	case 0:
		much = "none"
	case len(all):
		much = "all"
	}
	return much + ", " + word(err)
}

// word names an error.
func word(err error) string {
	for what, name := range map[error]string{
		net.ErrClosed: "closed", os.ErrDeadlineExceeded: "deadline", syscall.ECONNRESET: "reset", syscall.EPIPE: "pipe",
		syscall.ETIMEDOUT: "timed out", io.EOF: "EOF",
	} {
		if errors.Is(err, what) {
			return name
		}
	}
	return fmt.Sprint(err)
}
