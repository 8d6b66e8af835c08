package mutate

import (
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"time"

	"contend/checker/mutate/driver"
	"contend/checker/mutate/schemata"
)

// A session is a running driver.
type session struct {
	cmd     *exec.Cmd
	rows    *json.Encoder
	stdin   io.Closer
	answers chan driver.Answer // closed after the last
	stop    context.CancelFunc
	errs    *prefix
	code    int
	ended   bool
}

// Reasons why a session has no answer.
const (
	crashed     = "it crashes"
	tooMuchTime = "it takes too much time"
	outOfMemory = "it takes too much memory"
)

// start starts a driver.
func start(ctx context.Context, p process) (*session, error) {
	ctx, stop := context.WithCancel(ctx)
	c := p.command(ctx)
	s := &session{cmd: c, answers: make(chan driver.Answer), stop: stop, errs: &prefix{}}
	c.Stderr = s.errs
	in, err := c.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		stop()
		return nil, err
	}
	if err := c.Start(); err != nil {
		stop()
		return nil, err
	}
	s.rows, s.stdin = json.NewEncoder(in), in
	go func() {
		defer close(s.answers)
		for d := json.NewDecoder(out); ; {
			var a driver.Answer
			if d.Decode(&a) != nil {
				return
			}
			select {
			case s.answers <- a:
			case <-ctx.Done():
				return
			}
		}
	}()
	return s, nil
}

// ask checks a row. Ended is the reason why there is no answer, or ""; after it the session is over.
func (s *session) ask(r driver.Row, limit time.Duration) (a driver.Answer, ended string) {
	if err := s.rows.Encode(r); err == nil {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case a, ok := <-s.answers:
			if ok {
				return a, ""
			}
		case <-timer.C:
			s.close()
			return a, tooMuchTime
		}
	}
	s.wait()
	if s.code == schemata.OutOfMemory {
		return a, outOfMemory
	}
	return a, crashed
}

func (s *session) wait() {
	if !s.ended {
		s.ended = true
		s.cmd.Wait()
		s.code = s.cmd.ProcessState.ExitCode()
	}
}

// close ends the session.
func (s *session) close() {
	s.stop()
	s.stdin.Close()
	s.wait()
}
