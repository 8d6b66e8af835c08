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

// Kept is what is to be kept on the server: a bucket of keys and values, or of objects, or a queue of work.
type Kept struct {
	Name     string        // see [Named]
	MaxValue int32         // the largest value, in bytes; 0 is no bound but the server's
	MaxBytes int64         // of everything in it; 0 is no bound but the server's
	TTL      time.Duration // after which a value is forgotten; 0 is never
	Replicas int           // how many servers of a cluster have it; 0 is one
}

var named = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Named says in a sentence why a text is no name, or returns nil: it becomes part of subjects and of the
// names of files.
func Named(text string) error {
	if !named.MatchString(text) {
		return fmt.Errorf("%q is no name: it has 1 to 40 small letters, digits and hyphens, and begins with no hyphen", text)
	}
	return nil
}

// prefix begins the names of all that is kept: the server may have other users.
const prefix = "contend-"

// Bucket opens a key–value store, and makes it if need be. Its Create and Update are compare-and-set: of
// several writers one wins, and the others are told.
func (h *Hub) Bucket(ctx context.Context, k Kept) (jetstream.KeyValue, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	b, err := h.JS.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: prefix + k.Name, MaxValueSize: k.MaxValue, MaxBytes: k.MaxBytes, TTL: k.TTL, Replicas: max(k.Replicas, 1), Storage: jetstream.FileStorage,
	})
	return b, h.kept(k, err)
}

// Keys lists the keys of a key–value store by the server's index. A watch of the store waits for ever for a value that is damaged;
// a Get of such a key does not find it.
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

// ErrDamaged is of a key that the server lists, but whose value it cannot read.
var ErrDamaged = errors.New("damaged on the server")

// Get gets the value of a key. It is [ErrDamaged] if the key is listed and not found; [jetstream.ErrKeyNotFound] if there is none.
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
	if e, err = kv.Get(try, key); errors.Is(err, jetstream.ErrKeyNotFound) { // it was not put meanwhile
		err = ErrDamaged
	}
	return e, err
}

// Objects opens a store of objects of any size, and makes it if need be.
func (h *Hub) Objects(ctx context.Context, k Kept) (jetstream.ObjectStore, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	o, err := h.JS.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: prefix + k.Name, MaxBytes: k.MaxBytes, TTL: k.TTL, Replicas: max(k.Replicas, 1), Storage: jetstream.FileStorage,
	})
	return o, h.kept(k, err)
}

// A Queue gives each message to one worker, and to another one when that worker is silent. A message goes once it
// is acknowledged.
type Queue struct {
	Stream  jetstream.Stream
	Workers jetstream.Consumer
	js      jetstream.JetStream
	subject string
}

// Queue opens a queue of work, and makes it if need be. Silence is after how long without a word a message of a
// worker is given to another.
func (h *Hub) Queue(ctx context.Context, k Kept, silence time.Duration) (*Queue, error) {
	ctx, cancel := Patient(ctx)
	defer cancel()
	subject := "contend.work." + k.Name
	s, err := h.JS.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: prefix + k.Name, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		MaxBytes: k.MaxBytes, MaxMsgSize: k.MaxValue, Replicas: max(k.Replicas, 1), Duplicates: time.Hour, AllowDirect: true,
	})
	if err != nil {
		return nil, h.kept(k, err)
	}
	c, err := s.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: silence, MaxDeliver: -1, MaxAckPending: 100_000, Replicas: max(k.Replicas, 1),
	})
	if err != nil {
		return nil, h.kept(k, err)
	}
	return &Queue{Stream: s, Workers: c, js: h.JS, subject: subject}, nil
}

// Put adds a message. Within an hour the same id is added once, however often it is put.
func (q *Queue) Put(ctx context.Context, id string, data []byte) error {
	ctx, cancel := Patient(ctx)
	defer cancel()
	_, err := q.js.Publish(ctx, q.subject, data, jetstream.WithMsgID(id))
	return err
}

// PutAll adds messages 0 to n−1, without waiting for one before the next. Those that were added before an error stay.
func (q *Queue) PutAll(ctx context.Context, n int, message func(i int) (id string, data []byte)) error {
	const most = 1000 // under way at once
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

// Next takes a message if there is one at the moment; else it is nil.
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

// kept says what keeps the server from keeping something.
func (h *Hub) kept(k Kept, err error) error {
	if err == nil {
		return nil
	}
	if Full(err) {
		return fmt.Errorf("the server %s has no room for %s: %w", h.from.Server, k.Name, err)
	}
	return fmt.Errorf("the server %s cannot keep %s: %w", h.from.Server, k.Name, err)
}

// Why says what keeps the server from keeping something, where trying again may help.
func (h *Hub) Why(err error) error {
	switch {
	case Full(err):
		return fmt.Errorf("the server %s has no room: %w", h.from.Server, err)
	case Lost(err):
		return fmt.Errorf("the server %s is away: %w", h.from.Server, err)
	}
	return err
}

// Full reports whether an error says that the server has no room: its disk, or what it may use of it, is full.
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
