package driven

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"contend/checker/drive"
	"contend/model"
)

// Kvd returns the server as the implementation of the page's first node: the program at a path, with flags. Each run has a
// new directory in dir.
func Kvd(dir, program string, flags ...string) drive.Target {
	return drive.Go(func() drive.Adapter {
		data, err := os.MkdirTemp(dir, "run")
		if err != nil {
			panic(err)
		}
		return &server{dir: data, program: program, flags: flags}
	})
}

// A server is a process, and its directory.
type server struct {
	dir     string
	program string
	flags   []string

	process *exec.Cmd
	said    bytes.Buffer // on standard error
	ended   chan struct{}
	client  *http.Client
}

// Nodes returns the server. The page plays the client.
func (*server) Nodes() []model.NodeID { return []model.NodeID{0} }

// Start starts the process, and waits until it accepts connections.
func (k *server) Start(s *drive.Step) {
	socket := filepath.Join(k.dir, "socket")
	_ = os.Remove(socket) // of the process that was killed
	args := append([]string{"-data", filepath.Join(k.dir, "data"), "-socket", socket}, k.flags...)
	k.said.Reset()
	k.process = exec.Command(k.program, append(args, "serve")...)
	k.process.Stderr = &k.said
	if err := k.process.Start(); err != nil {
		panic(err)
	}
	p, ended := k.process, make(chan struct{})
	k.ended = ended
	go func() { _ = p.Wait(); close(ended) }()
	dial := func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", socket) }
	k.client = &http.Client{Transport: &http.Transport{DialContext: dial}}
	for {
		if c, err := net.Dial("unix", socket); err == nil {
			_ = c.Close()
			return
		}
		select {
		case <-ended:
			first, _, _ := strings.Cut(k.said.String(), "\n")
			s.Refuse(fmt.Sprintf("the server ends: %s: %.200s", p.ProcessState, first))
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// Crash kills the process with SIGKILL. Its files stay, with all that it has written: the operating system goes on.
func (k *server) Crash(*drive.Step) { k.kill() }

func (k *server) kill() {
	_ = k.process.Process.Kill() // it may have ended
	<-k.ended
	k.client.CloseIdleConnections()
}

// Close ends the run.
func (k *server) Close() {
	if k.process != nil {
		k.kill()
	}
	_ = os.RemoveAll(k.dir)
}

// Deliver makes a call of the client, and tells its answer.
func (k *server) Deliver(s *drive.Step, from model.NodeID, m any) {
	r := m.(Request)
	s.Send(from, k.call(r))
}

// call makes a call. An answer that no page gives is one with the reason.
func (k *server) call(r Request) Answer {
	request, err := http.NewRequest(r.Method, "http://kvd/"+r.Key, strings.NewReader(r.Value))
	if err != nil {
		panic(err)
	}
	answer, err := k.client.Do(request)
	if err != nil {
		return Answer(err.Error())
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return Answer(err.Error())
	case answer.StatusCode == http.StatusOK:
		return Answer(content)
	case answer.StatusCode == http.StatusNoContent:
		return "ok"
	case answer.StatusCode == http.StatusNotFound:
		return "none"
	}
	return Answer(fmt.Sprintf("%s: %s", answer.Status, bytes.TrimSpace(content)))
}

// State reads both keys.
func (k *server) State(model.NodeID) map[string]any {
	read := func(key string) string {
		return strings.TrimSuffix(string(k.call(Request{Method: http.MethodGet, Key: key})), "none")
	}
	return map[string]any{"X": read("x"), "Y": read("y")}
}

// Call and Fire are not called: the page's server has no operations and no alarms.
func (*server) Call(s *drive.Step, _ any) { s.Refuse("the server has no operations") }
func (*server) Fire(s *drive.Step, _ any) { s.Refuse("the server has no alarms") }
