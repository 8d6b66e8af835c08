package serve

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
)

// hold takes a lock or wins an election, makes a change a second later, and gives up the lock. The change compares the revision of the holder's key, as
// the packages document. The result is "held", the prefix of the holder's key, its revision, and the revision of the change; or "lost".
func (a *application) hold(ctx context.Context, words []string) (string, error) {
	if err := a.renew(); err != nil {
		return "", err
	}
	var key string
	var owns clientv3.Cmp
	var release func(context.Context) error
	if words[0] == "lock" {
		m := concurrency.NewMutex(a.session, words[0])
		if err := m.Lock(ctx); err != nil {
			return "", err
		}
		key, owns, release = m.Key(), m.IsOwner(), m.Unlock
	} else {
		e := concurrency.NewElection(a.session, words[0])
		if err := e.Campaign(ctx, words[1]); err != nil {
			return "", err
		}
		key, owns, release = e.Key(), clientv3.Compare(clientv3.CreateRevision(e.Key()), "=", e.Rev()), e.Resign
	}
	own, err := a.Get(ctx, key)
	if err != nil {
		return "", err
	}
	if len(own.Kvs) == 0 {
		return "lost", nil
	}
	time.Sleep(time.Second)
	compared := a.Txn(ctx)
	if !a.unfenced {
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
func (a *application) renew() error {
	if a.session != nil {
		select {
		case <-a.session.Done():
		default:
			return nil
		}
	}
	var err error
	a.session, err = concurrency.NewSession(a.Client, concurrency.WithTTL(2))
	return err
}
