package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"contend/program/sim"
)

// pause is the time between the resignation of a candidate and its next election.
const pause = 8 * time.Second

// candidate takes part in elections until the end of the run. The call "resign" ends the present election.
func candidate(o options) error {
	calls := make(chan string)
	go func() {
		for {
			calls <- sim.Invoked()
		}
	}()
	for {
		l := &leader{mistake: o.mistake, over: make(chan struct{})}
		e, err := election(o, l)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		sim.Note("stands")
		go func() {
			e.Run(ctx)
			close(ended)
		}()
		select {
		case <-ended:
		case <-calls:
			if o.mistake != "cancels-first" {
				l.stop()
			}
			cancel()
			<-ended
			sim.Return("ok")
			time.Sleep(pause)
		}
		cancel()
	}
}

// election returns an election with an identity of its own, as a new process has.
func election(o options, l *leader) (*leaderelection.LeaderElector, error) {
	id := fmt.Sprintf("%s_%d", sim.Host(), time.Now().UnixMilli())
	client, err := coordination.NewForConfig(&rest.Config{Host: "http://store:80", UserAgent: id, Timeout: o.deadline / 2,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"}})
	if err != nil {
		return nil, err
	}
	return leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{LeaseMeta: meta.ObjectMeta{Namespace: "default", Name: "lease"}, Client: client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: id}},
		LeaseDuration: o.lease, RenewDeadline: o.deadline, RetryPeriod: o.retry, ReleaseOnCancel: o.release,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: l.work, OnStoppedLeading: func() {}}})
}

// A leader does the work of a candidate that leads.
type leader struct {
	mistake string
	over    chan struct{} // closed when the candidate resigns
	working sync.Mutex
}

// work works until the candidate no longer leads, or resigns.
func (l *leader) work(leads context.Context) {
	l.working.Lock()
	defer l.working.Unlock()
	select {
	case <-l.over:
		return
	default:
	}
	sim.Note("leads")
	select {
	case <-leads.Done():
	case <-l.over:
	}
	if l.mistake == "outlives" || l.mistake == "cancels-first" {
		time.Sleep(pause)
	}
	sim.Note("stops")
}

// stop ends the work, and waits for its end.
func (l *leader) stop() {
	close(l.over)
	l.working.Lock()
	defer l.working.Unlock()
}
