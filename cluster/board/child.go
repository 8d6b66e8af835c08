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

// A job is done in a process of its own, which does one job after another: one that crashes, or takes all memory, ends
// that process, and its worker lives to tell how it died and what it printed. The process is the worker's own program.
// Its standard input has the campaign's specification in a line and then an order for each job, its standard output
// has replies, all as JSON values. When its input ends, its worker is gone, and it ends.

// ChildVerb and ChildFlag are the command line that serves jobs: see [Serve].
const (
	ChildVerb = "worker"
	ChildFlag = "--serve-jobs"
)

// order tells the process to do a job.
type order struct {
	Job int `json:"job"`
	// Afresh is of one that begins with less than the process was told.
	Afresh bool       `json:"afresh,omitempty"`
	News   [][][]byte `json:"news,omitempty"` // what jobs of its check added that it begins with, by generations, since the last one
}

// reply is what the process says: how far a job is, or what came of it.
type reply struct {
	Now     int64             `json:"now,omitempty"` // states or schedules so far
	Outcome *campaign.Outcome `json:"outcome,omitempty"`
	Traces  map[string][]byte `json:"traces,omitempty"`
	Stuck   bool              `json:"stuck,omitempty"`
}

// child is the process as its worker sees it.
type child struct {
	of      string // the campaign
	process *exec.Cmd
	in      io.WriteCloser
	replies *json.Decoder
	said    *tail
	told    map[check]*told
}

// newChild starts the process.
func newChild(spec *campaign.Spec, worker string, threads int) (*child, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	data, err := spec.Bytes()
	if err != nil {
		return nil, err
	}
	c := &child{of: spec.Name, process: exec.Command(path, ChildVerb, ChildFlag, "--name", worker, "--threads", strconv.Itoa(threads)), said: &tail{}, told: map[check]*told{}}
	c.process.Args[0] = os.Args[0] // a test program looks at it
	c.process.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", processors(threads)))
	c.process.Stderr = c.said
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
	_, _ = fmt.Fprintf(c.in, "%s\n", data) // that it is gone already is found when it does not reply
	return c, nil
}

// processors is how many the process uses: the garbage collector of each worker on a large machine would use all.
func processors(threads int) int {
	if threads == 0 {
		return runtime.NumCPU()
	}
	return max(threads, 2)
}

// do does a job. It returns how the process died, if it did; neither if the context was over first.
func (c *child) do(ctx context.Context, job order, progress func(now int64)) (*reply, *campaign.Death) {
	c.said.reset()
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
	c.kill() // what it says is no reply: it is of no more use
	how := c.process.ProcessState.String()
	return nil, &campaign.Death{How: how, Printed: c.said.String()}
}

// kill ends the process.
func (c *child) kill() {
	if c == nil {
		return
	}
	c.said.once.Do(func() {
		_ = c.in.Close()
		done := make(chan struct{})
		go func() {
			select {
			case <-done:
			case <-time.After(200 * time.Millisecond): // one that died by itself is given the time to
				_ = c.process.Process.Kill()
			}
		}()
		_ = c.process.Wait() // how it ended is in its state
		close(done)
	})
}

// tail keeps the end of what a process printed.
type tail struct {
	mu   sync.Mutex
	once sync.Once // the process is waited for once
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

// String is the end of it: of the trace of a crash the beginning says what happened, but a crash prints it last.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	end := t.end
	if len(end) > mostTail {
		end = end[len(end)-mostTail:]
	}
	return strings.ToValidUTF8(string(end), "�")
}

// Serve does the jobs for which orders come in, until there are no more. It is what a worker's child process runs.
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
				os.Exit(0) // the worker is gone, and nobody waits for the job
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

// server is the process itself.
type server struct {
	work    *campaign.Work
	out     *json.Encoder
	next    time.Time
	learned map[check]campaign.Learned
}

func (s *server) job(is order, d campaign.Doing) error {
	before := cpu()
	s.next = time.Now().Add(time.Second)
	job := s.work.Job(is.Job)
	if s.work.Learns(job) {
		d.Learned = s.begin(job, is)
	}
	o, stuck, err := s.work.Do(job, d)
	if err != nil {
		return err
	}
	o.By.CPU = cpu() - before
	return s.out.Encode(reply{Outcome: o, Traces: o.Traces(), Stuck: stuck})
}

// progress says how far a check is, once a second. It is called from the goroutine that checks.
func (s *server) progress(p checker.Progress) {
	if now := time.Now(); now.After(s.next) {
		s.next = now.Add(time.Second)
		_ = s.out.Encode(reply{Now: max(p.Distinct, p.Schedules)}) // if nobody reads it, the input ends too
	}
}
