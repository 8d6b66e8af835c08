package serve

import (
	"context"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"contend/program/sim"
)

// client makes the calls of its application at servers.
func (p *program) client(servers []string) error {
	var all []string
	for _, name := range servers {
		all = append(all, "http://"+name+":2379")
	}
	c, err := clientv3.New(clientv3.Config{Endpoints: all, DialKeepAliveTime: time.Second, DialKeepAliveTimeout: time.Second})
	if err != nil {
		return err
	}
	p.calls(c)
	return nil
}

// calls makes the calls of the application.
func (p *program) calls(c *clientv3.Client) {
	a := &application{Client: c, revision: 1, unfenced: p.unfenced}
	for {
		words := strings.Fields(sim.Invoked())
		result, err := a.call(words)
		if err != nil {
			sim.Note("fails: " + err.Error())
			result = "unknown"
			if words[0] == "get" {
				result = "failed"
			}
		}
		sim.Return(result)
	}
}

// An application makes calls.
type application struct {
	*clientv3.Client
	revision int64 // that of the last answer
	unfenced bool
	session  *concurrency.Session // with a lease of two seconds
}

// call makes a call. The result ends with the revision of the store.
func (a *application) call(words []string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	switch words[0] {
	case "get":
		answer, err := a.Get(ctx, words[1])
		if err != nil {
			return "", err
		}
		a.revision = answer.Header.Revision
		for _, kv := range answer.Kvs {
			return fmt.Sprintf("%s@%d %d", kv.Value, kv.ModRevision, a.revision), nil
		}
		return fmt.Sprint("none ", a.revision), nil
	case "put":
		answer, err := a.Put(ctx, words[1], words[2])
		if err != nil {
			return "", err
		}
		a.revision = answer.Header.Revision
		return fmt.Sprint("ok ", a.revision), nil
	case "del":
		answer, err := a.Delete(ctx, words[1])
		if err != nil {
			return "", err
		}
		a.revision = answer.Header.Revision
		return fmt.Sprint("ok ", a.revision), nil
	case "compact":
		_, _ = a.Compact(ctx, a.revision) // the revision may be compacted already
		return "ok", nil
	}
	return a.hold(ctx, words)
}
