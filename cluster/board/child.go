package board

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"contend/checker"
	"contend/checker/verify/tool"
	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// A worker does jobs in a child process, one after another. A job that crashes or exhausts the memory ends
// only the child. The worker then records the cause of death and the child's output. The child is the
// worker's own program. Its standard input has the campaign's specification as a line, and then an order for
// each job. Its standard output has replies. All are JSON values. The child exits when its input ends, since
// then the worker is gone.

// ChildVerb and ChildFlag are the command line of a child: see [Serve].
const (
	ChildVerb = "worker"
	ChildFlag = "--serve-jobs"
)

// An order is a request for a job.
type order struct {
	Job int `json:"job"`
	// Afresh discards what the child has learned before.
	Afresh    bool       `json:"afresh,omitempty"`
	Additions [][][]byte `json:"news,omitempty"` // additions since the last order, by generation
}

// A reply is the child's progress or result.
type reply struct {
	Now     int64             `json:"now,omitempty"` // states or schedules so far
	Outcome *campaign.Outcome `json:"outcome,omitempty"`
	Traces  map[string][]byte `json:"traces,omitempty"`
	Stuck   bool              `json:"stuck,omitempty"`
}

// A child is the worker's side of a child process.
type child struct {
	campaign string // campaign
	process  *exec.Cmd
	in       io.WriteCloser
	replies  *json.Decoder
	output   *tail
	known    map[check]*knowledge
}

// newChild starts a child process.
func newChild(spec *campaign.Spec, worker string, threads int) (*child, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	data, err := spec.Bytes()
	if err != nil {
		return nil, err
	}
	c := &child{campaign: spec.Name, process: exec.Command(path, ChildVerb, ChildFlag, "--name", worker, "--threads", strconv.Itoa(threads)), output: &tail{}, known: map[check]*knowledge{}}
	c.process.Args[0] = os.Args[0] // a test program depends on it
	c.process.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", processors(threads)))
	c.process.Stderr = c.output
	if c.in, err = c.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.process.Start(); err != nil {
		return nil, fmt.Errorf("cannot start a process for jobs: %w", err)
	}
	c.replies = json.NewDecoder(bufio.NewReaderSize(out, 1<<16))
	_, _ = fmt.Fprintf(c.in, "%s\n", data) // an error shows as a missing reply
	return c, nil
}

// processors returns GOMAXPROCS of the child: on a large machine the garbage collector of each worker would
// use all processors.
func processors(threads int) int {
	if threads == 0 {
		return runtime.NumCPU()
	}
	return max(threads, 2)
}

// do does a job. It returns the process's death if it died, and nil, nil if the context ended before. It
// calls progress after each progress reply.
func (c *child) do(ctx context.Context, job order, progress func(now int64)) (*reply, *campaign.Death) {
	c.output.reset()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-ctx.Done():
			c.kill()
		case <-over:
		}
	}()
	err := json.NewEncoder(c.in).Encode(job)
	for err == nil {
		var r reply
		if err = c.replies.Decode(&r); err != nil {
			break
		}
		if r.Outcome != nil {
			return &r, nil
		}
		progress(r.Now)
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	c.kill() // an invalid reply makes the process useless
	how := c.process.ProcessState.String()
	return nil, &campaign.Death{How: how, Printed: c.output.String()}
}

// kill ends the process and waits for its end.
func (c *child) kill() {
	if c == nil {
		return
	}
	c.output.once.Do(func() {
		_ = c.in.Close()
		done := make(chan struct{})
		go func() {
			select {
			case <-done:
			case <-time.After(200 * time.Millisecond): // a crashing process gets the time to exit by itself
				_ = c.process.Process.Kill()
			}
		}()
		_ = c.process.Wait() // the result is in ProcessState
		close(done)
	})
}

// A tail stores the end of a process's output.
type tail struct {
	mu   sync.Mutex
	once sync.Once // to wait for the process once
	end  []byte
}

const mostTail = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if len(t.end) > 2*mostTail {
		t.end = append([]byte{}, t.end[len(t.end)-mostTail:]...)
	}
	return len(p), nil
}

func (t *tail) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = nil
}

// String returns the end of the output, at most 8 KiB.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	end := t.end
	if len(end) > mostTail {
		end = end[len(end)-mostTail:]
	}
	return strings.ToValidUTF8(string(end), "�")
}

// Serve does jobs in order of their orders until the input ends. It is the main function of a child process.
func Serve(t *tool.Tool, worker string, threads int, in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, campaign.MostSpec)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return err
	}
	spec, err := campaign.ReadSpec(line)
	if err != nil {
		return err
	}
	own, err := hub.Own()
	if err != nil {
		return err
	}
	if err := own.Refuse("campaign "+spec.Name, spec.Build); err != nil {
		return err
	}
	work, err := spec.Work(t)
	if err != nil {
		return err
	}
	orders := make(chan order)
	go func() {
		in := json.NewDecoder(lines)
		for {
			var o order
			if err := in.Decode(&o); err == io.EOF {
				os.Exit(0) // the worker is gone
			} else if err != nil || o.Job < 0 {
				os.Exit(2)
			}
			orders <- o
		}
	}()
	s := server{work: work, out: json.NewEncoder(out), learned: map[check]campaign.Learned{}}
	for o := range orders {
		if err := s.job(o, campaign.Doing{Worker: worker, Threads: threads, Progress: s.progress}); err != nil {
			return err
		}
	}
	return nil
}

// A server is the child's side of the connection.
type server struct {
	work    *campaign.Work
	out     *json.Encoder
	next    time.Time
	learned map[check]campaign.Learned
}

func (s *server) job(request order, d campaign.Doing) error {
	before := cpu()
	s.next = time.Now().Add(time.Second)
	job := s.work.Job(request.Job)
	if s.work.Learns(job) {
		d.Learned = s.begin(job, request)
	}
	o, stuck, err := s.work.Do(job, d)
	if err != nil {
		return err
	}
	o.By.CPU = cpu() - before
	return s.out.Encode(reply{Outcome: o, Traces: o.Traces(), Stuck: stuck})
}

// progress sends the progress of a check, once a second. The check calls it from its goroutine.
func (s *server) progress(p checker.Progress) {
	if now := time.Now(); now.After(s.next) {
		s.next = now.Add(time.Second)
		_ = s.out.Encode(reply{Now: max(p.Distinct, p.Schedules)}) // if nobody reads it, the input ends too
	}
}
