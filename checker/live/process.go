package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"contend/model"
)

// A process is the process of a node.
type process struct {
	node  model.NodeID
	cmd   *exec.Cmd
	in    io.WriteCloser // a node ends when it ends
	said  bytes.Buffer   // its standard error
	ended chan struct{}  // is closed after the end

	struck atomic.Bool // it was killed
}

// An exit is the end of a process.
type exit struct {
	node   model.NodeID
	err    error
	said   string
	struck bool // it was killed by a fault, or at the end
}

// failure returns the error of a process that failed: what it wrote, or else its state.
func (x exit) failure() error {
	if text := strings.TrimSpace(x.said); text != "" {
		return fmt.Errorf("%.300s", strings.ToValidUTF8(text, "\uFFFD"))
	}
	if x.err != nil {
		return x.err
	}
	return errors.New("its process has ended")
}

// startProcess starts the process of a node. The exit goes to ended.
func startProcess(cmd *exec.Cmd, spec Spec, ended chan<- exit) (*process, error) {
	raw, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	p := &process{node: model.NodeID(spec.Node), cmd: cmd, ended: make(chan struct{})}
	cmd.Stderr = &p.said
	cmd.WaitDelay = time.Second
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_, _ = p.in.Write(append(raw, '\n')) // a process that does not read ends, and that is an exit
		err := cmd.Wait()
		close(p.ended)
		ended <- exit{node: p.node, err: err, said: p.said.String(), struck: p.struck.Load()}
	}()
	return p, nil
}

// kill kills the process, as kill -9 does, and waits for its end.
func (p *process) kill() {
	p.struck.Store(true)
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.ended
}

// running reports whether the process has not ended.
func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}
