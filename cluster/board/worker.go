package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"contend/checker/verify/console"
	"contend/checker/verify/tool"
	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// A Worker does jobs of campaigns until its context ends.
type Worker struct {
	Tool    *tool.Tool
	Board   *Board
	Only    string // the only campaign to work for; "" means all campaigns of its build
	Threads int    // for each job
	Name    string // see [WorkerName]
	Err     io.Writer

	refused map[string]bool
	open    map[string]*Campaign
	child   *child
	mu      sync.Mutex
	report  map[string]*Report // by campaign
	current string             // campaign of the present job
}

// WorkerName returns a unique readable name for a worker of this process.
func WorkerName() string {
	host, err := os.Hostname()
	if err != nil || len(host) > 60 {
		host = "somewhere"
	}
	return fmt.Sprintf("%s-%d-%.6s", host, os.Getpid(), nuid.Next()[16:])
}

// idle is the time that a worker waits for a job before it lists the campaigns again.
const idle = 2 * time.Second

// Work does jobs until the context ends. Without campaigns it waits. It fails if all campaigns, or the only
// campaign, are of another build.
func (w *Worker) Work(ctx context.Context) error {
	w.refused, w.open, w.report = map[string]bool{}, map[string]*Campaign{}, map[string]*Report{}
	defer func() { w.child.kill() }()
	defer w.reportEnd()
	go w.sendReports(ctx)
	for ctx.Err() == nil {
		running, err := w.running(ctx)
		switch {
		case err != nil && !hub.ConnectionLost(err):
			return err
		case err != nil, len(running) == 0:
			pause(ctx, idle/4)
			continue
		}
		for _, c := range running {
			if err := w.doJobs(ctx, c, len(running) == 1); err != nil && ctx.Err() == nil {
				w.reportProblem(c, err)
				pause(ctx, idle/2)
			}
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// running returns the running campaigns of this worker.
func (w *Worker) running(ctx context.Context) ([]*Campaign, error) {
	names := []string{w.Only}
	if w.Only == "" {
		var err error
		if names, err = w.Board.Names(ctx); err != nil {
			return nil, err
		}
	}
	var all []*Campaign
	var refusal error
	for _, name := range names {
		if w.refused[name] {
			continue
		}
		s, _, err := w.Board.state(ctx, name)
		if errors.Is(err, errUnbegun) || err == nil && s.Phase != Running {
			continue
		}
		if err != nil {
			return nil, err
		}
		c := w.open[name]
		if c == nil {
			if c, err = w.Board.Campaign(ctx, w.Tool, name); hub.ConnectionLost(err) {
				return nil, err
			}
			if err != nil {
				refusal = err
				w.refused[name] = true
				if w.Only == "" {
					console.Say(w.Err, "%v", err)
				}
				continue
			}
			w.open[name] = c
		}
		all = append(all, c)
	}
	if refusal != nil && len(all) == 0 {
		return nil, refusal
	}
	return all, nil
}

// doJobs does jobs of a campaign: all if it is the only campaign, otherwise one.
func (w *Worker) doJobs(ctx context.Context, c *Campaign, only bool) error {
	for ctx.Err() == nil {
		s, err := c.State(ctx)
		if err != nil || s.Phase != Running {
			return err
		}
		if spent, err := c.cpuTime(ctx); err != nil {
			return err
		} else if c.Spec.For > 0 && spent >= c.Spec.For {
			return c.Stop(ctx, fmt.Sprintf("its budget of %v is spent", c.Spec.For))
		}
		m, err := c.queue.Next()
		if m == nil && err == nil { // the last job of a round may be done
			if err = c.Refill(ctx, s); err != nil {
				return err
			}
			wait, stop := context.WithTimeout(ctx, idle)
			m, err = c.queue.Workers.Next(jetstream.FetchContext(wait))
			stop()
		}
		if errors.Is(err, jetstream.ErrNoMessages) || hub.ConnectionLost(err) || ctx.Err() != nil && m == nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := w.job(ctx, c, s, m); err != nil {
			return err
		}
		if !only {
			return nil
		}
	}
	return nil
}

// cpuTime returns the CPU time of all workers of a campaign with a budget.
func (c *Campaign) cpuTime(ctx context.Context) (time.Duration, error) {
	if c.Spec.For == 0 {
		return 0, nil
	}
	all, err := c.Workers(ctx)
	var seconds float64
	for _, r := range all {
		seconds += r.CPU
	}
	return time.Duration(seconds * float64(time.Second)), err
}

// mostDeliveries is the number of deliveries of a job after which it is set aside, if workers vanish with
// their machines.
const mostDeliveries = 100

// job does the job of a message, stores its outcome, and removes it from the queue, in this order.
func (w *Worker) job(ctx context.Context, c *Campaign, s *State, m jetstream.Msg) error {
	n, err := number(m.Data())
	if err != nil || n >= c.Work.Round(mostRounds) {
		return m.TermWithReason("no job has this number")
	}
	if _, err := c.results.Get(ctx, fmt.Sprint(n)); err == nil {
		if err := c.release(ctx, c.Work.Job(n)); err != nil {
			return err
		}
		return m.Ack() // it was done by a worker that died before acknowledging it
	}
	job := c.Work.Job(n)
	w.begin(c, job)
	defer w.end()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	beat := w.heartbeat(ctx, cancel, c, s, m)
	defer beat()
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > mostDeliveries {
		d := campaign.Death{Worker: w.Name, How: fmt.Sprintf("%d workers took the job, and none came back", meta.NumDelivered-1)}
		if aside, err := c.died(ctx, job, d); err != nil || !aside {
			return errors.Join(err, m.Nak())
		}
		return errors.Join(c.release(ctx, job), m.Ack())
	}
	done, death, err := w.do(ctx, c, job)
	switch {
	case ctx.Err() != nil:
		w.child.kill()
		w.child = nil
		return m.Nak() // for another worker
	case err != nil:
		return errors.Join(err, m.NakWithDelay(idle))
	case death != nil:
		w.child = nil
		aside, err := c.died(ctx, job, *death)
		if err != nil || !aside {
			return errors.Join(err, m.Nak())
		}
		return errors.Join(c.release(ctx, job), m.Ack())
	}
	if err := w.persist(ctx, c, done); err != nil {
		return err
	}
	w.finish(c, done.Outcome)
	if err := c.release(ctx, job); err != nil {
		return err // the message is delivered again, and its receiver releases them
	}
	ack, stop := hub.Patient(ctx)
	defer stop()
	_ = m.DoubleAck(ack) // otherwise it is delivered again and recognized as done
	return nil
}

// persist stores an outcome, however long the server is away or full.
func (w *Worker) persist(ctx context.Context, c *Campaign, d *reply) error {
	for {
		err := w.Board.hub.ConnectionError()
		if err == nil {
			try, cancel := hub.Patient(ctx)
			err = c.store(try, d.Outcome, d.Traces)
			cancel()
		}
		if err == nil || ctx.Err() != nil || !hub.ConnectionLost(err) && !hub.Full(err) {
			return err
		}
		w.reportProblem(c, fmt.Errorf("%w; it keeps what came of job %d, and tries again", w.Board.hub.Explain(err), d.Outcome.Job))
		pause(ctx, idle/2)
	}
}

// heartbeat reports to the queue that the job is in progress, so that the queue does not deliver it again. It
// cancels the job if the campaign is stopped. The caller must call stop.
func (w *Worker) heartbeat(ctx context.Context, cancel context.CancelFunc, c *Campaign, s *State, m jetstream.Msg) (stop func()) {
	over := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			select {
			case <-over:
				return
			case <-ctx.Done():
				return
			case <-time.After(s.Silence / 3):
			}
			_ = m.InProgress() // nothing to do if the server is away
			if now, err := c.State(ctx); err == nil && now.Phase != Running {
				cancel()
			}
		}
	})
	return func() { close(over); ended.Wait() }
}

// do does a job in the worker's child process. It starts the child if there is none.
func (w *Worker) do(ctx context.Context, c *Campaign, job campaign.Job) (*reply, *campaign.Death, error) {
	if w.child != nil && w.child.campaign != c.Spec.Name {
		w.child.kill()
		w.child = nil
	}
	if w.child == nil {
		var err error
		if w.child, err = newChild(c.Spec, w.Name, w.Threads); err != nil {
			return nil, nil, err
		}
	}
	o, err := w.child.order(ctx, c, job)
	if err != nil {
		return nil, nil, err
	}
	r, death := w.child.do(ctx, o, func(now int64) { w.progress(now) })
	if death != nil {
		death.Worker = w.Name
		return nil, death, nil
	}
	if r != nil && r.Stuck { // a handler is still running in it
		w.child.kill()
		w.child = nil
	}
	return r, nil, nil
}

// reportProblem prints and reports a problem, unless it is the last reported one.
func (w *Worker) reportProblem(c *Campaign, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.reportFor(c)
	if text := err.Error(); r.Trouble != text {
		r.Trouble = text
		console.Say(w.Err, "worker %s: %s", w.Name, text)
	}
}

// reportFor returns the report for a campaign. The caller must hold the lock.
func (w *Worker) reportFor(c *Campaign) *Report {
	r := w.report[c.Spec.Name]
	if r == nil {
		own, _ := hub.Own() // read before
		r = &Report{Schema: 1, Worker: w.Name, Build: own, Job: -1, Since: time.Now()}
		w.report[c.Spec.Name] = r
	}
	return r
}

func (w *Worker) begin(c *Campaign, job campaign.Job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.reportFor(c)
	r.Job, r.Title, r.Since, r.Now = job.Number, c.Work.Title(job), time.Now(), 0
	w.current = c.Spec.Name
}

func (w *Worker) progress(now int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.report[w.current]; r != nil {
		r.Now = now
	}
}

func (w *Worker) finish(c *Campaign, o *campaign.Outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.reportFor(c)
	r.Done++
	r.CPU += o.By.CPU
	r.Steps += o.By.Steps
	r.Now, r.Trouble = 0, ""
}

func (w *Worker) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.report[w.current]; r != nil {
		r.Job, r.Title, r.Since, r.Now = -1, "", time.Now(), 0
	}
}

// sendReports sends reports for status and budgets until the context ends.
func (w *Worker) sendReports(ctx context.Context) {
	sent := map[string]string{}
	for n := 0; ctx.Err() == nil; n++ {
		if n%10 == 0 {
			clear(sent) // to show that the worker is alive
		}
		w.send(ctx, sent)
		pause(ctx, time.Second)
	}
}

// send sends the reports that differ from the sent ones.
func (w *Worker) send(ctx context.Context, sent map[string]string) {
	w.mu.Lock()
	all := map[string][]byte{}
	for name, r := range w.report {
		if data, err := json.Marshal(r); err == nil && sent[name] != string(data) {
			all[name] = data
		}
	}
	w.mu.Unlock()
	for name, data := range all {
		kv, err := w.Board.hub.JS.KeyValue(ctx, "contend-"+name+"-workers")
		if err != nil {
			return // the server is away
		}
		if _, err := kv.Put(ctx, w.Name, data); err == nil {
			sent[name] = string(data)
		}
	}
}

// reportEnd reports that the worker has ended.
func (w *Worker) reportEnd() {
	w.mu.Lock()
	for _, r := range w.report {
		r.Ended, r.Job, r.Title = true, -1, ""
	}
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	w.send(ctx, map[string]string{})
}
