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

// The subjects by which a leader and processes that offer themselves speak.
func callSubject(b hub.Build) string       { return "contend.parts.call." + b.Sum }
func aliveSubject(epoch string) string     { return "contend.parts." + epoch + ".alive" }
func dismissedSubject(epoch string) string { return "contend.parts." + epoch + ".dismissed" }
func leftSubject(epoch string) string      { return "contend.parts." + epoch + ".left" }

// taken answers a call.
type taken struct {
	Where string `json:"where"`           // who offers itself, for people
	Error string `json:"error,omitempty"` // why the part did not begin
}

// away are the parts of one beginning of a search that are elsewhere. Each asks the leader now and then whether it is there.
type away struct {
	conn  *nats.Conn
	epoch string
	subs  []*nats.Subscription
}

// freed is how long processes that a lost part was with may take to offer themselves again.
const freed = 3 * time.Second

// call calls for processes that offer themselves, for one part after another, and returns the first part that is left.
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
	for next = 1; next < c.of; {
		text, err := json.Marshal(task{Name: c.name, Epoch: epoch, Part: next, Of: c.of, Job: c.job})
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
			return 0, parts.Lost{Err: fmt.Errorf("part %d of %d: a process that offered itself does not answer: %w", next+1, c.of, err)}
		}
		var is taken
		if err := json.Unmarshal(m.Data, &is); err != nil || is.Error != "" {
			return 0, parts.Lost{Err: fmt.Errorf("part %d of %d does not begin at %.100s: %.500s", next+1, c.of, is.Where, is.Error)}
		}
		if c.called = true; c.Told != nil {
			c.Told(next, is.Where)
		}
		next++
	}
	return next, nil
}

// dismiss has the parts end.
func (a *away) dismiss() {
	_ = a.conn.Publish(dismissedSubject(a.epoch), nil)
	_ = a.conn.FlushTimeout(time.Second)
	for _, sub := range a.subs {
		_ = sub.Unsubscribe()
	}
}
