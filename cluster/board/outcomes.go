package board

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// Outcomes returns the outcomes so far, by number; nil for an open job. A damaged outcome is an error.
func (c *Campaign) Outcomes(ctx context.Context) ([]*campaign.Outcome, error) {
	s, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]*campaign.Outcome, c.Jobs(s))
	done, err := c.doneNumbers(ctx)
	if err != nil {
		return nil, err
	}
	return all, c.read(ctx, done, all)
}

// abreast is the number of concurrent requests for outcomes.
const abreast = 32

// read reads the outcomes of completed jobs. It returns the error of the job with the least number.
func (c *Campaign) read(ctx context.Context, done map[int]bool, all []*campaign.Outcome) error {
	errs := make([]error, len(all))
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(abreast, len(all)) {
		readers.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(all) && ctx.Err() == nil; n = int(next.Add(1)) - 1 {
				if done[n] {
					all[n], errs[n] = c.outcome(ctx, n)
				}
			}
		})
	}
	readers.Wait()
	for n, err := range errs {
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.Is(err, hub.ErrDamaged):
			return fmt.Errorf("campaign %s: the outcome of job %d (%s) is %w", c.Spec.Name, n, c.Work.Title(c.Work.Job(n)), err)
		default:
			return fmt.Errorf("campaign %s: %w", c.Spec.Name, err)
		}
	}
	return ctx.Err()
}

// Load loads an object, such as a counterexample.
func (c *Campaign) Load(ctx context.Context, object string) ([]byte, error) {
	ctx, cancel := hub.Patient(ctx)
	defer cancel()
	info, err := c.runs.GetInfo(ctx, object)
	if err != nil {
		return nil, fmt.Errorf("the run %.12s cannot be read: %w", object, err)
	}
	if info.Size > campaign.MostTrace {
		return nil, fmt.Errorf("the run %.12s has %d bytes, but at most %d are read", object, info.Size, campaign.MostTrace)
	}
	return c.runs.GetBytes(ctx, object)
}

// store stores an outcome after its runs. An equal outcome of another worker is no error. A different one is
// recorded as a dispute: see [Campaign.Disputes].
func (c *Campaign) store(ctx context.Context, o *campaign.Outcome, runs map[string][]byte) error {
	for name, data := range runs {
		if _, err := c.runs.GetInfo(ctx, name); err == nil {
			continue
		}
		if _, err := c.runs.PutBytes(ctx, name, data); err != nil {
			return err
		}
	}
	data, err := o.Bytes()
	if err != nil {
		return err
	}
	key := strconv.Itoa(o.Job)
	_, err = c.results.Create(ctx, key, data)
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	e, err := c.board.hub.Get(ctx, c.results, key)
	if err != nil {
		return fmt.Errorf("the outcome of job %d cannot be read: %w", o.Job, err)
	}
	other, err := c.Work.ReadOutcome(c.Work.Job(o.Job), e.Value())
	if err != nil {
		return err
	}
	mine, err := o.Sum()
	if err != nil {
		return err
	}
	theirs, err := other.Sum()
	if err != nil || mine == theirs || o.Aside != nil || other.Aside != nil {
		return err
	}
	text := fmt.Sprintf("job %d (%s) came to different outcomes with %s and %s", o.Job, c.Work.Title(c.Work.Job(o.Job)), other.By.Worker, o.By.Worker)
	_, err = c.deaths.Put(ctx, disputeKey+key, []byte(text))
	return err
}

// disputeKey is the prefix of keys of disputes.
const disputeKey = "dispute-"

// Disputes returns sentences about jobs with two different outcomes. The reason is a handler that is not
// deterministic, or a bug of the tool. The first outcome counts.
func (c *Campaign) Disputes(ctx context.Context) ([]string, error) {
	keys, err := c.board.hub.Keys(ctx, c.deaths)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, key := range keys {
		job, ok := strings.CutPrefix(key, disputeKey)
		if !ok {
			continue
		}
		e, err := c.board.hub.Get(ctx, c.deaths, key)
		if err != nil {
			return nil, fmt.Errorf("campaign %s: the dispute about job %s cannot be read: %w", c.Spec.Name, job, err)
		}
		all = append(all, string(e.Value()))
	}
	return all, nil
}

const (
	mostDeaths = 128 << 10
	// fatal is the number of deaths after which a job is set aside.
	fatal = 3
)

// died records that a job killed its process. After the third time it sets the job aside.
func (c *Campaign) died(ctx context.Context, job campaign.Job, d campaign.Death) (aside bool, err error) {
	key := strconv.Itoa(job.Number)
	for {
		var all campaign.Aside
		e, err := c.board.hub.Get(ctx, c.deaths, key)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
		case err != nil:
			return false, fmt.Errorf("the deaths of job %d cannot be read: %w", job.Number, err)
		default:
			if err := json.Unmarshal(e.Value(), &all); err != nil || len(all.Deaths) > fatal {
				return false, fmt.Errorf("the deaths of job %d are damaged", job.Number)
			}
		}
		all.Deaths = append(all.Deaths, d)
		data, err := json.Marshal(all)
		if err != nil {
			return false, err
		}
		if e == nil {
			_, err = c.deaths.Create(ctx, key, data)
		} else {
			_, err = c.deaths.Update(ctx, key, data, e.Revision())
		}
		var api *jetstream.APIError
		if errors.Is(err, jetstream.ErrKeyExists) || errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
			continue // another death was recorded first
		}
		if err != nil || len(all.Deaths) < fatal {
			return false, err
		}
		o := &campaign.Outcome{Schema: 1, Job: job.Number, Aside: &all, By: campaign.By{Worker: d.Worker}}
		return true, c.store(ctx, o, nil)
	}
}

// A Report is a worker's report for users. Only budgets depend on it.
type Report struct {
	Schema  int       `json:"schema"` // 1
	Worker  string    `json:"worker"`
	Build   hub.Build `json:"build"`
	Job     int       `json:"job"` // −1 if none
	Title   string    `json:"title"`
	Since   time.Time `json:"since"`
	Done    int       `json:"done"`  // number of jobs
	CPU     float64   `json:"cpu"`   // seconds of all its jobs
	Steps   int64     `json:"steps"` // states and schedules of its completed jobs
	Now     int64     `json:"now"`   // states or schedules of its present job
	Ended   bool      `json:"left"`  // the worker has ended
	Trouble string    `json:"trouble,omitempty"`

	Contact time.Time `json:"-"` // time of the server
}

const mostReport = 8 << 10

func readReport(data []byte) (*Report, error) {
	if len(data) > mostReport {
		return nil, fmt.Errorf("a worker's report has %d bytes", len(data))
	}
	var r Report
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	if r.Schema != 1 || len(r.Worker) > 200 || len(r.Title) > 2000 || len(r.Trouble) > 2000 || r.CPU < 0 || r.Steps < 0 || r.Now < 0 || r.Done < 0 {
		return nil, errors.New("a worker's report is damaged, or of a later version")
	}
	return &r, nil
}

// Workers returns the last report of each worker of the campaign, without damaged ones.
func (c *Campaign) Workers(ctx context.Context) ([]*Report, error) {
	return reports(ctx, c.board.hub, c.workers)
}

func reports(ctx context.Context, h *hub.Hub, workers jetstream.KeyValue) ([]*Report, error) {
	keys, err := h.Keys(ctx, workers)
	if err != nil {
		return nil, err
	}
	var all []*Report
	for _, key := range keys {
		e, err := h.Get(ctx, workers, key)
		if errors.Is(err, hub.ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r, err := readReport(e.Value()); err == nil {
			r.Contact = e.Created()
			all = append(all, r)
		}
	}
	return all, nil
}
