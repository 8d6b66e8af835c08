package board

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// The additions of a job are an object of the campaign, named in its outcome. Before a job, a worker reads
// the additions of the jobs that it depends on. It sends its child the additions that the child lacks.

// A check identifies a check of a campaign. All of its jobs sample one system.
type check struct{ part, number int }

// knowledge is the number of generations and bytes of a check that a child has.
type knowledge struct{ generations, bytes int }

// order returns the order for a job, with the additions that the child lacks.
func (c *child) order(ctx context.Context, from *Campaign, job campaign.Job) (o order, err error) {
	at := check{job.Part, job.Check}
	t := c.known[at]
	if t == nil {
		t = &knowledge{}
		c.known[at] = t
	}
	before, know := from.Work.Dependencies(job), *t
	o = order{Job: job.Number, Afresh: know.generations > len(before)}
	if o.Afresh {
		know = knowledge{}
	}
	for _, numbers := range before[know.generations:] {
		added, err := from.additions(ctx, numbers, &know.bytes)
		if err != nil {
			return order{}, err
		}
		o.Additions = append(o.Additions, added)
		know.generations++
	}
	*t = know
	return o, nil
}

// additions returns the additions of jobs, in the order of their numbers, up to a total size.
func (c *Campaign) additions(ctx context.Context, numbers []int, size *int) (all [][]byte, err error) {
	for _, n := range numbers {
		if *size >= campaign.MostLearned {
			return all, nil
		}
		o, err := c.outcome(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("the additions of job %d cannot be read: %w", n, err)
		}
		if o.Learned == "" {
			continue
		}
		data, err := c.Load(ctx, o.Learned)
		if err == nil {
			err = campaign.Unchanged(o.Learned, data)
		}
		if err != nil {
			return nil, fmt.Errorf("the additions of job %d cannot be read: %w", n, err)
		}
		*size += len(data)
		if len(data) <= campaign.MostAdded {
			all = append(all, data)
		}
	}
	return all, nil
}

// outcome returns the outcome of a completed job.
func (c *Campaign) outcome(ctx context.Context, number int) (*campaign.Outcome, error) {
	e, err := c.board.hub.Get(ctx, c.results, strconv.Itoa(number))
	if err != nil {
		return nil, err
	}
	return c.Work.ReadOutcome(c.Work.Job(number), e.Value())
}

// release queues the jobs that depend on a job, once all their dependencies are done. Several workers may do
// so: a job that is queued twice is done once.
func (c *Campaign) release(ctx context.Context, job campaign.Job) error {
	after := c.Work.NextGeneration(job)
	if len(after) == 0 {
		return nil
	}
	s, err := c.State(ctx)
	if err != nil || after[0] >= c.Jobs(s) {
		return err
	}
	var failed error
	done := func(number int) bool {
		ctx, cancel := hub.Patient(ctx)
		defer cancel()
		_, err := c.results.Get(ctx, strconv.Itoa(number))
		if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
			failed = err
		}
		return err == nil
	}
	if !c.Work.Ready(c.Work.Job(after[0]), done) {
		return failed
	}
	var open []int
	for _, number := range after {
		if number < c.Jobs(s) {
			open = append(open, number)
		}
	}
	return c.enqueue(ctx, s, open)
}

// begin returns the initial findings of a job, including the order's additions. It skips damaged additions,
// as all workers do.
func (s *server) begin(job campaign.Job, o order) campaign.Learned {
	at := check{job.Part, job.Check}
	if s.learned[at] == nil || o.Afresh {
		s.learned[at] = s.work.EmptyLearned(job)
	}
	for _, generation := range o.Additions {
		_ = s.learned[at].Add(generation...)
	}
	return s.learned[at]
}
