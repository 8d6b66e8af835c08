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

// A Memory remembers the histories of an object that are linearizable: the schedules of a system have few different ones, since most of
// what they differ in is no part of a history. A history is known by its hash. Others are judged anew, as they are rare
// or their verdict rests on time. Several threads may share one.
type Memory struct {
	Object model.Object
	legal  sync.Map // of hashes, no values
	size   atomic.Int64
}

// mostRemembered bounds the memory, at about 100 bytes each.
const mostRemembered = 1 << 17

// History is [History] of the object.
func (m *Memory) History(history []model.Observation, timeout time.Duration) (Verdict, error) {
	key := sha256.Sum256(told(history))
	if _, known := m.legal.Load(key); known {
		return Linearizable, nil
	}
	verdict, err := History(m.Object, history, timeout)
	if verdict == Linearizable && err == nil && m.size.Load() < mostRemembered {
		m.legal.Store(key, nil)
		m.size.Add(1)
	}
	return verdict, err
}

// Again judges a history that was sampled once more; the error says that no order explains it. A history that takes too long is told of.
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

// longest bounds the judgement of one history.
const longest = 5 * time.Second

// Patience is how long the judgement of a history may take, in a check that began then and has so much time; 0 is no limit.
func Patience(began time.Time, timeout time.Duration) time.Duration {
	if timeout == 0 {
		return longest
	}
	return max(min(longest, timeout-time.Since(began)), time.Millisecond)
}

// told is all that the verdict on a history depends on.
func told(history []model.Observation) []byte {
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
