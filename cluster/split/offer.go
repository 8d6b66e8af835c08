package split

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/nats-io/nats.go"

	"contend/checker/search/parts"
	"contend/cluster/hub"
)

// Offer offers this process to searches on a server, for one part after another, until the context ends. Only
// searches of the same build call it. It keeps files in new directories below dir. A part ends when its
// search dismisses it, or when the leader is silent for [Patience].
func Offer(ctx context.Context, h *hub.Hub, access hub.Access, dir string, say func(format string, args ...any)) error {
	own, err := hub.Own()
	if err != nil {
		return err
	}
	for {
		say("it offers itself")
		m, err := awaitCall(ctx, h.Conn, own)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := serve(ctx, h.Conn, access, dir, m, say); err != nil {
			say("%v", err)
		}
	}
}

// awaitCall waits for a call. A process is called once, and by no other search until it is free.
func awaitCall(ctx context.Context, conn *nats.Conn, own hub.Build) (*nats.Msg, error) {
	sub, err := conn.QueueSubscribeSync(callSubject(own), "parts")
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }() // removed already if the call came
	if err := sub.AutoUnsubscribe(1); err != nil {
		return nil, err
	}
	return sub.NextMsgWithContext(ctx)
}

// serve runs a part to its end.
func serve(ctx context.Context, conn *nats.Conn, access hub.Access, below string, m *nats.Msg, say func(format string, args ...any)) error {
	where := fmt.Sprintf("%s (process %d)", hostname(), os.Getpid())
	respond := func(err error) error {
		a := acceptance{Where: where}
		if err != nil {
			a.Error = err.Error()
		}
		text, _ := json.Marshal(a) // cannot fail
		return errors.Join(err, m.Respond(text))
	}
	t, err := read(m.Data)
	if err != nil {
		return respond(err)
	}
	t.Server, t.Creds, t.CA = access.Server, access.Creds, access.CA
	if t.Dir, err = os.MkdirTemp(below, "part-"); err != nil {
		return respond(err)
	}
	defer func() { _ = os.RemoveAll(t.Dir) }()
	dismissed := make(chan *nats.Msg, 1)
	sub, err := conn.ChanSubscribe(dismissedSubject(t.Epoch), dismissed)
	if err != nil {
		return respond(err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	ready := make(chan error, 1)
	p, err := launch(t, ready, func(died parts.Lost) { _ = conn.Publish(leftSubject(t.Epoch), []byte(died.Error()+", at "+where)) })
	if err != nil {
		return respond(err)
	}
	defer p.kill()
	if err := respond(<-ready); err != nil {
		return err
	}
	say("part %d of %d of a search", t.Part+1, t.Parts)
	defer say("the part is over")
	last := time.Now()
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-dismissed:
			return nil
		case <-p.gone:
			return nil
		case <-tick.C:
			if _, err := conn.Request(aliveSubject(t.Epoch), nil, again); err == nil {
				last = time.Now()
			} else if time.Since(last) > Patience {
				return fmt.Errorf("the search has sent nothing for %v", Patience)
			}
		}
	}
}

// token matches the name of a start of a search. The name becomes a part of subjects.
var token = regexp.MustCompile(`^[0-9A-Za-z]{1,40}$`)

// read parses and validates a task. The data may be malicious.
func read(text []byte) (t task, err error) {
	if len(text) > mostTask {
		return t, fmt.Errorf("a call has %d bytes, but at most %d are read", len(text), mostTask)
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return t, fmt.Errorf("a call is damaged: %w", err)
	}
	if t.Part < 1 || t.Part >= t.Parts || hub.CheckName(t.Name) != nil || !token.MatchString(t.Epoch) {
		return t, errors.New("a call is for no part of a search")
	}
	return t, nil
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "a machine without a name"
	}
	return name
}
