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

// What a job learned is an object of the campaign, which its outcome names. Before a job, a worker reads what the jobs added that it goes on
// from, and tells its child what that was not told yet.

// check is one of a campaign's: all jobs of it sample one system.
type check struct{ part, number int }

// told is what a child was told of a check.
type told struct{ generations, bytes int }

// news is the order for a job, with what the child is to be told before it.
func (c *child) news(ctx context.Context, of *Campaign, job campaign.Job) (is order, err error) {
	at := check{job.Part, job.Check}
	t := c.told[at]
	if t == nil {
		t = &told{}
		c.told[at] = t
	}
	before, know := of.Work.Before(job), *t
	is = order{Job: job.Number, Afresh: know.generations > len(before)}
	if is.Afresh {
		know = told{}
	}
	for _, numbers := range before[know.generations:] {
		added, err := of.added(ctx, numbers, &know.bytes)
		if err != nil {
			return order{}, err
		}
		is.News = append(is.News, added)
		know.generations++
	}
	*t = know
	return is, nil
}

// added is what jobs added, in the order of their numbers, unless there is enough already.
func (c *Campaign) added(ctx context.Context, numbers []int, size *int) (all [][]byte, err error) {
	for _, n := range numbers {
		if *size >= campaign.MostLearned {
			return all, nil
		}
		o, err := c.outcome(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("what job %d learned cannot be read: %w", n, err)
		}
		if o.Learned == "" {
			continue
		}
		data, err := c.Load(ctx, o.Learned)
		if err == nil {
			err = campaign.Unchanged(o.Learned, data)
		}
		if err != nil {
			return nil, fmt.Errorf("what job %d learned cannot be read: %w", n, err)
		}
		*size += len(data)
		if len(data) <= campaign.MostAdded {
			all = append(all, data)
		}
	}
	return all, nil
}

// outcome is that of a job that is done.
func (c *Campaign) outcome(ctx context.Context, number int) (*campaign.Outcome, error) {
	e, err := c.board.hub.Get(ctx, c.results, strconv.Itoa(number))
	if err != nil {
		return nil, err
	}
	return c.Work.ReadOutcome(c.Work.Job(number), e.Value())
}

// release puts the jobs into the queue that go on from a job, once all that they go on from are done. Several workers may do so: a job that
// is queued twice is done once.
func (c *Campaign) release(ctx context.Context, job campaign.Job) error {
	after := c.Work.After(job)
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
	return c.put(ctx, s, open)
}

// begin is what a job begins with, with the news. News that are damaged are left out, by all in the same way.
func (s *server) begin(job campaign.Job, is order) campaign.Learned {
	at := check{job.Part, job.Check}
	if s.learned[at] == nil || is.Afresh {
		s.learned[at] = s.work.Nothing(job)
	}
	for _, generation := range is.News {
		_ = s.learned[at].Add(generation...)
	}
	return s.learned[at]
}
