package judge

import (
	"crypto/sha256"
	"encoding/binary"
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

// told is all that the verdict on a history depends on.
func told(history []model.Observation) []byte {
	var out []byte
	for _, o := range history {
		switch o.Kind {
		case model.Invoked, model.Returned, model.Released:
			v := value.Canonical(o.Value)
			out = binary.AppendVarint(append(out, byte(o.Kind)), int64(o.Node))
			out = binary.AppendUvarint(out, uint64(len(v)))
			out = append(out, v...)
		}
	}
	return out
}
