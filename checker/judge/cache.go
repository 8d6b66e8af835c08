package judge

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"contend/model"
	"contend/model/value"
)

// A Memory caches the linearizable histories of an object, by hash. The schedules of a system have few
// different histories. Other histories are judged anew: they are rare, or their verdict depends on time. A
// Memory is safe for concurrent use.
type Memory struct {
	Object model.Object
	legal  sync.Map // set of hashes
	size   atomic.Int64
}

// mostCached is the maximum size of the cache, with about 100 bytes for each history.
const mostCached = 1 << 17

// History is [History] of the object.
func (m *Memory) History(history []model.Observation, timeout time.Duration) (Verdict, error) {
	key := sha256.Sum256(relevant(history))
	if _, known := m.legal.Load(key); known {
		return Linearizable, nil
	}
	verdict, err := History(m.Object, history, timeout)
	if verdict == Linearizable && err == nil && m.size.Load() < mostCached {
		m.legal.Store(key, nil)
		m.size.Add(1)
	}
	return verdict, err
}

// Again judges a sampled history. The error reports that no order explains it. Again calls unknown if the
// judgement takes too long.
func (m *Memory) Again(history []model.Observation, timeout time.Duration, unknown func()) error {
	switch verdict, err := m.History(history, timeout); {
	case err != nil:
		return err
	case verdict == Illegal:
		return errors.New("porcupine finds no order of the operations that explains their results")
	case verdict == Unknown:
		unknown()
	}
	return nil
}

// longest is the maximum time of one judgement.
const longest = 5 * time.Second

// Patience returns the time for a judgement, in a check that began at began with a timeout; 0 is no timeout.
func Patience(began time.Time, timeout time.Duration) time.Duration {
	if timeout == 0 {
		return longest
	}
	return max(min(longest, timeout-time.Since(began)), time.Millisecond)
}

// relevant returns the encoded part of a history that the verdict depends on.
func relevant(history []model.Observation) []byte {
	var out []byte
	for _, o := range history {
		switch o.Kind {
		case model.Invoked, model.Returned, model.Released:
			out = binary.AppendVarint(append(out, byte(o.Kind)), int64(o.Node))
			out = append(out, value.Canonical(o.Value)...)
		}
	}
	return out
}
