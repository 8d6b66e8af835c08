// Package outside confirms the findings of the search with the library alone, in bubbles of package synctest.
package outside

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordination "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// A store keeps the lease and its version.
type store struct {
	record  *resourcelock.LeaderElectionRecord
	version int
}

// holder returns the holder of the lease.
func (s *store) holder() string {
	if s.record == nil {
		return ""
	}
	return s.record.HolderIdentity
}

// A lock is a candidate's access to the store, with the version that the candidate has read, as in resourcelock.LeaseLock. A request fails after 5
// seconds, as in Kubernetes.
type lock struct {
	*store
	id      string
	version int
	// lease is what the candidate reads as LeaseDurationSeconds, unless 0. A clock that is 15/lease as fast measures 15 seconds in this time.
	lease int
	// delay returns the time until a request reaches the store, and the time until the answer arrives. A request that fails earlier is
	// lost. Nil stands for no time.
	delay func(update bool) (there, back time.Duration)
}

func (l *lock) Identity() string   { return l.id }
func (l *lock) Describe() string   { return l.id }
func (l *lock) RecordEvent(string) {}

func (l *lock) request(ctx context.Context, update bool, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var there, back time.Duration
	if l.delay != nil {
		there, back = l.delay(update)
	}
	if err := sleep(ctx, there); err != nil {
		return err
	}
	err := do()
	if lost := sleep(ctx, back); lost != nil {
		return lost
	}
	return err
}

// sleep returns an error if the context ends earlier.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *lock) Get(ctx context.Context) (r *resourcelock.LeaderElectionRecord, raw []byte, err error) {
	err = l.request(ctx, false, func() error {
		if l.record == nil {
			return errors.NewNotFound(coordination.Resource("leases"), "lease")
		}
		copied := *l.record
		r, l.version = &copied, l.store.version
		raw, err = json.Marshal(copied)
		if l.lease != 0 {
			r.LeaseDurationSeconds = l.lease
		}
		return err
	})
	return r, raw, err
}

func (l *lock) write(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.request(ctx, true, func() error {
		if l.version != l.store.version {
			return errors.NewConflict(coordination.Resource("leases"), "lease", nil)
		}
		l.record = &r
		l.store.version++
		l.version = l.store.version
		return nil
	})
}

func (l *lock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.write(ctx, r)
}
func (l *lock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.write(ctx, r)
}

// leaders counts the candidates that lead: the context of OnStartedLeading has not ended.
type leaders struct {
	mu        sync.Mutex
	now, most int
}

func (l *leaders) lead(ctx context.Context) {
	l.mu.Lock()
	l.now++
	l.most = max(l.most, l.now)
	l.mu.Unlock()
	<-ctx.Done()
	l.mu.Lock()
	l.now--
	l.mu.Unlock()
}

// defaults are the durations of Kubernetes.
var defaults = leaderelection.LeaderElectionConfig{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second}

// elect takes part in an election until the context ends.
func elect(ctx context.Context, t *testing.T, config leaderelection.LeaderElectionConfig, l *lock, all *leaders) {
	config.Lock = l
	config.Callbacks = leaderelection.LeaderCallbacks{OnStartedLeading: all.lead, OnStoppedLeading: func() {}}
	e, err := leaderelection.NewLeaderElector(config)
	require.NoError(t, err)
	e.Run(ctx)
}

// A candidate that is cancelled during the update that makes it the holder does not release the lease.
func TestCancelledCandidateKeepsTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		config := defaults
		config.ReleaseOnCancel = true
		a := &lock{store: &store{}, id: "a", delay: func(update bool) (there, back time.Duration) {
			if update {
				back = time.Second
			}
			return there, back
		}}
		elect(ctx, t, config, a, &leaders{})
		assert.Equal(t, "a", a.holder())
	})
}

// A leader that could not renew its lease releases the lease of the next holder.
func TestReleasesTheLeaseOfAnother(t *testing.T) {
	took := false
	for tries := 0; !took && tries < 200; tries++ { // the package draws the times between two tries of b
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			config, start := defaults, time.Now()
			config.RenewDeadline, config.ReleaseOnCancel = 14*time.Second, true
			a := &lock{store: &store{}, id: "a", delay: func(update bool) (there, back time.Duration) {
				switch now := time.Since(start); {
				case now >= 18*time.Second && !update: // the deadline is 14 seconds after the try at 4 seconds
					there = 4500 * time.Millisecond
				case 3*time.Second <= now && now < 18*time.Second:
					there = time.Minute
				}
				return there, back
			}}
			go elect(ctx, t, config, a, &leaders{})
			time.Sleep(time.Second)
			go elect(ctx, t, config, &lock{store: a.store, id: "b"}, &leaders{})
			time.Sleep(21*time.Second + 450*time.Millisecond)
			took = a.holder() == "b" // 22.45 seconds after the start
			time.Sleep(100 * time.Millisecond)
			if took {
				assert.Empty(t, a.holder())
			}
			cancel()
			time.Sleep(10 * time.Second) // until the requests have ended
		})
	}
	assert.True(t, took)
}

// A leader that could not renew its lease still leads while it releases the lease.
func TestLeadsWhileItReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		config, start, all := defaults, time.Now(), &leaders{}
		config.ReleaseOnCancel = true
		a := &lock{store: &store{}, id: "a", delay: func(update bool) (there, back time.Duration) {
			switch now := time.Since(start); {
			case now >= 14*time.Second && update: // the answer to the release is lost
				back = time.Minute
			case 3*time.Second <= now && now < 14*time.Second:
				there = time.Minute
			}
			return there, back
		}}
		go elect(ctx, t, config, a, all)
		time.Sleep(time.Second)
		go elect(ctx, t, config, &lock{store: a.store, id: "b"}, all)
		time.Sleep(time.Minute)
		assert.Equal(t, 2, all.most)
	})
}

// After a lost answer a leader renews its lease with the RenewTime of the update whose answer was lost. So the other candidate sees no
// renewal, and leads before the leader stops.
func TestRenewalThatNobodySees(t *testing.T) {
	for _, lost := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			start, all := time.Now(), &leaders{}
			a := &lock{store: &store{}, id: "a", delay: func(update bool) (there, back time.Duration) {
				switch now := time.Since(start); {
				case lost && update && now == 2*time.Second:
					back = time.Minute
				case now > 8*time.Second:
					there = time.Minute
				}
				return there, back
			}}
			go elect(ctx, t, defaults, a, all)
			time.Sleep(time.Second)
			config := defaults
			config.RetryPeriod = 100 * time.Millisecond
			go elect(ctx, t, config, &lock{store: a.store, id: "b"}, all)
			time.Sleep(time.Minute)
			want := 1
			if lost {
				want = 2
			}
			assert.Equal(t, want, all.most)
		})
	}
}

// An answer that takes more than 3 seconds is enough for two leaders: the leader stops RetryPeriod and RenewDeadline after the answer, and the other
// candidate waits for LeaseDuration after the renewal.
func TestLateAnswer(t *testing.T) {
	for late, want := range map[time.Duration]int{2 * time.Second: 1, 4500 * time.Millisecond: 2} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			start, all := time.Now(), &leaders{}
			a := &lock{store: &store{}, id: "a", delay: func(bool) (there, back time.Duration) {
				switch now := time.Since(start); {
				case now == 2*time.Second:
					back = late
				case now > 2*time.Second:
					there = time.Minute
				}
				return there, back
			}}
			go elect(ctx, t, defaults, a, all)
			time.Sleep(time.Second)
			config := defaults
			config.RetryPeriod = 100 * time.Millisecond
			go elect(ctx, t, config, &lock{store: a.store, id: "b"}, all)
			time.Sleep(time.Minute)
			assert.Equal(t, want, all.most, late)
		})
	}
}

// Two candidates lead at once when a clock is 15/11 as fast as the other: less than LeaseDuration / RenewDeadline, the ratio that the
// package documents. With 15/13 one leads.
func TestClockRates(t *testing.T) {
	for lease, want := range map[int]int{11: 2, 13: 1} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			start, all := time.Now(), &leaders{}
			a := &lock{store: &store{}, id: "a", delay: func(bool) (there, back time.Duration) {
				if time.Since(start) > 7*time.Second {
					there = time.Minute
				}
				return there, back
			}}
			go elect(ctx, t, defaults, a, all)
			time.Sleep(time.Second)
			config := defaults
			config.RetryPeriod = 100 * time.Millisecond
			go elect(ctx, t, config, &lock{store: a.store, id: "b", lease: lease}, all)
			time.Sleep(time.Minute)
			assert.Equal(t, want, all.most, lease)
		})
	}
}
