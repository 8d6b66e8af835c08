package hub

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A StoreConfig configures a store on the server: a bucket of keys and values, an object store, or a queue.
type StoreConfig struct {
	Name     string        // see [CheckName]
	MaxValue int32         // maximum value in bytes; 0 is the server's bound
	MaxBytes int64         // total size in bytes; 0 is the server's bound
	TTL      time.Duration // lifetime of values; 0 is unlimited
	Replicas int           // number of servers of a cluster; 0 is one
}

var named = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// CheckName returns one sentence about an invalid name, or nil. Names become parts of subjects and file names.
func CheckName(text string) error {
	if !named.MatchString(text) {
		return fmt.Errorf("%q is no name: it has 1 to 40 small letters, digits and hyphens, and begins with no hyphen", text)
	}
	return nil
}

// prefix is the prefix of stores' names: the server may have other users.
const prefix = "contend-"

// Bucket opens a key–value store, and creates it if it does not exist. Create and Update are compare-and-set:
// one of several writers succeeds, the others get an error.
func (h *Hub) Bucket(ctx context.Context, k StoreConfig) (jetstream.KeyValue, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	b, err := h.JS.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: prefix + k.Name, MaxValueSize: k.MaxValue, MaxBytes: k.MaxBytes, TTL: k.TTL, Replicas: max(k.Replicas, 1), Storage: jetstream.FileStorage,
	})
	return b, h.storeError(k, err)
}

// Keys returns the keys of a store by the server's index. Watching the store would block at a damaged value.
// Get does not find the key of a damaged value.
func (h *Hub) Keys(ctx context.Context, kv jetstream.KeyValue) ([]string, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	stream, err := h.JS.Stream(ctx, "KV_"+kv.Bucket())
	if err != nil {
		return nil, err
	}
	subject := "$KV." + kv.Bucket() + "."
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(subject+">"))
	if err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(info.State.Subjects))
	for s := range info.State.Subjects {
		keys = append(keys, strings.TrimPrefix(s, subject))
	}
	slices.Sort(keys)
	return keys, nil
}

// ErrDamaged is the error of a listed key whose value the server cannot read.
var ErrDamaged = errors.New("damaged on the server")

// Get returns the value of a key. The error is [ErrDamaged] if the key is listed but not found, and
// [jetstream.ErrKeyNotFound] if it is not listed.
func (h *Hub) Get(ctx context.Context, kv jetstream.KeyValue, key string) (jetstream.KeyValueEntry, error) {
	try, cancel := Patient(ctx)
	defer cancel()
	e, err := kv.Get(try, key)
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		return e, err
	}
	keys, failed := h.Keys(ctx, kv)
	if failed != nil {
		return nil, failed
	}
	if _, listed := slices.BinarySearch(keys, key); !listed {
		return nil, err
	}
	if e, err = kv.Get(try, key); errors.Is(err, jetstream.ErrKeyNotFound) { // it was not created meanwhile
		err = ErrDamaged
	}
	return e, err
}

// Objects opens an object store, and creates it if it does not exist.
func (h *Hub) Objects(ctx context.Context, k StoreConfig) (jetstream.ObjectStore, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	o, err := h.JS.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: prefix + k.Name, MaxBytes: k.MaxBytes, TTL: k.TTL, Replicas: max(k.Replicas, 1), Storage: jetstream.FileStorage,
	})
	return o, h.storeError(k, err)
}

// A Queue delivers each message to one worker, and to another if that worker is silent. Acknowledged messages
// are removed.
type Queue struct {
	Stream  jetstream.Stream
	Workers jetstream.Consumer
	js      jetstream.JetStream
	subject string
}

// Queue opens a queue, and creates it if it does not exist. Silence is the time without a heartbeat after
// which a message is delivered again.
func (h *Hub) Queue(ctx context.Context, k StoreConfig, silence time.Duration) (*Queue, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	subject := "contend.work." + k.Name
	s, err := h.JS.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: prefix + k.Name, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		MaxBytes: k.MaxBytes, MaxMsgSize: k.MaxValue, Replicas: max(k.Replicas, 1), Duplicates: time.Hour, AllowDirect: true,
	})
	if err != nil {
		return nil, h.storeError(k, err)
	}
	c, err := s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: silence, MaxDeliver: -1, MaxAckPending: 100_000, Replicas: max(k.Replicas, 1),
	})
	if err != nil {
		return nil, h.storeError(k, err)
	}
	return &Queue{Stream: s, Workers: c, js: h.JS, subject: subject}, nil
}

// Add adds a message. Within an hour an id is added once.
func (q *Queue) Add(ctx context.Context, id string, data []byte) error {
	ctx, cancel := Patient(ctx)
	defer cancel()
	_, err := q.js.Publish(ctx, q.subject, data, jetstream.WithMsgID(id))
	return err
}

// AddAll adds messages 0 to n−1 concurrently. After an error, some of them are added.
func (q *Queue) AddAll(ctx context.Context, n int, message func(i int) (id string, data []byte)) error {
	const most = 1000 // concurrent
	under := make([]jetstream.PubAckFuture, 0, most)
	wait := func() error {
		for _, f := range under {
			select {
			case <-f.Ok():
			case err := <-f.Err():
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		under = under[:0]
		return nil
	}
	for i := range n {
		id, data := message(i)
		f, err := q.js.PublishAsync(q.subject, data, jetstream.WithMsgID(id))
		if err != nil {
			return err
		}
		if under = append(under, f); len(under) == most {
			if err := wait(); err != nil {
				return err
			}
		}
	}
	return wait()
}

// Next returns a message if there is one now, otherwise nil.
func (q *Queue) Next() (jetstream.Msg, error) {
	batch, err := q.Workers.FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return m, nil
	}
	return nil, batch.Error()
}

// storeError returns the error of opening a store as a sentence, or nil.
func (h *Hub) storeError(k StoreConfig, err error) error {
	if err == nil {
		return nil
	}
	if Full(err) {
		return fmt.Errorf("the server %s has no room for %s: %w", h.from.Server, k.Name, err)
	}
	return fmt.Errorf("the server %s cannot keep %s: %w", h.from.Server, k.Name, err)
}

// Explain returns the error of a write as a sentence, if a retry may succeed.
func (h *Hub) Explain(err error) error {
	switch {
	case Full(err):
		return fmt.Errorf("the server %s has no room: %w", h.from.Server, err)
	case ConnectionLost(err):
		return fmt.Errorf("the server %s is away: %w", h.from.Server, err)
	}
	return err
}

// Full reports whether an error means that the server has no space.
func Full(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode {
	case 10023, 10047, 10052, 10077, 10028: // insufficient resources, no storage left, resources of the account, store failed, memory
		return true
	}
	return false
}
