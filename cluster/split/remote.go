package split

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"contend/checker/search/parts"
	"contend/cluster/hub"
)

// Subjects of messages between a leader and processes that offer themselves.
func callSubject(b hub.Build) string       { return "contend.parts.call." + b.Sum }
func aliveSubject(epoch string) string     { return "contend.parts." + epoch + ".alive" }
func dismissedSubject(epoch string) string { return "contend.parts." + epoch + ".dismissed" }
func leftSubject(epoch string) string      { return "contend.parts." + epoch + ".left" }

// An acceptance is the answer to a call.
type acceptance struct {
	Where string `json:"where"`           // process that offers itself, for display
	Error string `json:"error,omitempty"` // reason why the part did not begin
}

// An away has the remote parts of one start of a search. Each asks the leader periodically whether it is
// alive.
type away struct {
	conn  *nats.Conn
	epoch string
	subs  []*nats.Subscription
}

// freed is the time in which the processes of a lost search may offer themselves again.
const freed = 3 * time.Second

// call calls processes that offer themselves, for one part after another. It returns the first part without
// one.
func (c *Crew) call(epoch string) (next int, err error) {
	own, err := hub.Own()
	if err != nil {
		return 0, err
	}
	a := &away{conn: c.hub.Conn, epoch: epoch}
	ex := c.exchange
	for subject, hear := range map[string]nats.MsgHandler{
		aliveSubject(epoch): func(m *nats.Msg) { _ = m.Respond(nil) },
		leftSubject(epoch): func(m *nats.Msg) {
			ex.Close(parts.Lost{Err: errors.New(string(m.Data[:min(len(m.Data), 2*mostSaid)]))})
		},
	} {
		sub, err := a.conn.Subscribe(subject, hear)
		if err != nil {
			return 0, err
		}
		a.subs = append(a.subs, sub)
	}
	c.away = a
	began := time.Now()
	for next = 1; next < c.count; {
		text, err := json.Marshal(task{Name: c.name, Epoch: epoch, Part: next, Parts: c.count, Job: c.job})
		if err != nil {
			return 0, err
		}
		m, err := a.conn.Request(callSubject(own), text, Patience)
		switch {
		case errors.Is(err, nats.ErrNoResponders) && c.called && time.Since(began) < freed:
			time.Sleep(freed / 30)
			continue
		case errors.Is(err, nats.ErrNoResponders):
			return next, nil
		case err != nil:
			return 0, parts.Lost{Err: fmt.Errorf("part %d of %d: a process that offered itself does not answer: %w", next+1, c.count, err)}
		}
		var accepted acceptance
		if err := json.Unmarshal(m.Data, &accepted); err != nil || accepted.Error != "" {
			return 0, parts.Lost{Err: fmt.Errorf("part %d of %d does not start at %.100s: %.500s", next+1, c.count, accepted.Where, accepted.Error)}
		}
		if c.called = true; c.RemotePart != nil {
			c.RemotePart(next, accepted.Where)
		}
		next++
	}
	return next, nil
}

// dismiss ends the remote parts.
func (a *away) dismiss() {
	_ = a.conn.Publish(dismissedSubject(a.epoch), nil)
	_ = a.conn.FlushTimeout(time.Second)
	for _, sub := range a.subs {
		_ = sub.Unsubscribe()
	}
}
