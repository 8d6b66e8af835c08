package main

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// locks holds the session of a client, which has a lease of two seconds.
type locks struct{ session *concurrency.Session }

// hold takes a lock or wins an election, makes a change a second later, and gives up the lock. The change compares the revision of the holder's key, as
// the packages document. The result is "held", the prefix of the holder's key, its revision, and the revision of the change; or "lost".
func (l *locks) hold(ctx context.Context, c *clientv3.Client, words []string) (string, error) {
	if err := l.renew(c); err != nil {
		return "", err
	}
	var key string
	var owns clientv3.Cmp
	var release func(context.Context) error
	if words[0] == "lock" {
		m := concurrency.NewMutex(l.session, words[0])
		if err := m.Lock(ctx); err != nil {
			return "", err
		}
		key, owns, release = m.Key(), m.IsOwner(), m.Unlock
	} else {
		e := concurrency.NewElection(l.session, words[0])
		if err := e.Campaign(ctx, words[1]); err != nil {
			return "", err
		}
		key, owns, release = e.Key(), clientv3.Compare(clientv3.CreateRevision(e.Key()), "=", e.Rev()), e.Resign
	}
	own, err := c.Get(ctx, key)
	if err != nil {
		return "", err
	}
	if len(own.Kvs) == 0 {
		return "lost", nil
	}
	time.Sleep(time.Second)
	compared := c.Txn(ctx)
	if !unfenced {
		compared = compared.If(owns)
	}
	answer, err := compared.Then(clientv3.OpPut("x", words[1])).Commit()
	if err != nil {
		return "", err
	}
	_ = release(ctx)
	if !answer.Succeeded {
		return "lost", nil
	}
	return fmt.Sprint("held ", words[0], " ", own.Kvs[0].CreateRevision, " ", answer.Header.Revision), nil
}

// renew begins a session unless there is one that has not ended.
func (l *locks) renew(c *clientv3.Client) error {
	if l.session != nil {
		select {
		case <-l.session.Done():
		default:
			return nil
		}
	}
	var err error
	l.session, err = concurrency.NewSession(c, concurrency.WithTTL(2))
	return err
}
