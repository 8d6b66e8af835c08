package board

import (
	"context"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"contend/checker/sample/strategy"
	"contend/cluster/campaign"
	"contend/cluster/hub"
)

// Jobs that share coverage write what they covered under a key of their own, as additions to what they began with. Before a job, a
// worker reads the additions of its check that its child was not told yet. Nothing depends on them but what such jobs find: where the
// server is away or full, or additions are damaged, the job is done with what there is.

// check is one of a campaign's: all jobs of it sample one system.
type check struct{ part, number int }

func of(j campaign.Job) check { return check{j.Part, j.Check} }

// key is where a job's additions are kept.
func (c check) key(job string) string { return fmt.Sprintf("%d.%d.%s", c.part, c.number, job) }

// told is what a child was told, or found itself.
type told struct {
	last map[check]uint64 // revisions
	own  map[string]bool  // keys
}

// mostNews bounds what a child is told before a job, in bytes. The rest follows before the next.
const mostNews = 32 << 20

// news are the additions of others that the child is to be told before a job.
func (t told) news(ctx context.Context, c *Campaign, job campaign.Job) (all [][]byte) {
	if !c.Work.Shares(job) {
		return nil
	}
	ctx, cancel := hub.Patient(ctx)
	defer cancel()
	at := of(job)
	w, err := c.covered.Watch(ctx, at.key("*"), jetstream.ResumeFromRevision(t.last[at]+1))
	if err != nil {
		return nil
	}
	defer func() { _ = w.Stop() }()
	for size := 0; size < mostNews; {
		select {
		case e, open := <-w.Updates():
			if !open || e == nil { // there are no more
				return all
			}
			if t.last[at] = e.Revision(); !t.own[e.Key()] {
				all, size = append(all, e.Value()), size+len(e.Value())
			}
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// tell keeps what a job covered for the others.
func (c *Campaign) tell(ctx context.Context, job campaign.Job, additions []byte) {
	if len(additions) == 0 || c.board.hub.Away() != nil {
		return
	}
	ctx, cancel := hub.Patient(ctx)
	defer cancel()
	_, _ = c.covered.Put(ctx, of(job).key(strconv.Itoa(job.Number)), additions)
}

// cover is what is covered of a job's check, with the news.
func (s *server) cover(job campaign.Job, news [][]byte) *strategy.Cover {
	c := s.covers[of(job)]
	if c == nil {
		c = &strategy.Cover{}
		s.covers[of(job)] = c
	}
	for _, additions := range news {
		_ = c.Add(additions) // those that are damaged are left out
	}
	return c
}
