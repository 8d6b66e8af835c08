package hub_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"contend/cluster/hub"
)

// started starts a server that stops at the end of the test.
func started(t *testing.T, o hub.Options) *hub.Server {
	t.Helper()
	s, err := hub.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func connected(t *testing.T, a hub.Access) *hub.Hub {
	t.Helper()
	h, err := a.Connect(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// Stored data are available to the next server on the directory. It listens where the previous server
// listened. A client that lost the first server finds the second.
func TestServerComesBack(t *testing.T) {
	dir := t.TempDir()
	first, err := hub.Start(hub.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	access, err := hub.Local(dir)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 10)
	access.Notify = func(err error) { told <- err }
	h := connected(t, access)
	b, err := h.Bucket(t.Context(), hub.StoreConfig{Name: "results"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Create(t.Context(), "1", []byte("one")); err != nil {
		t.Fatal(err)
	}
	at := first.URL()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-told; err == nil {
		t.Error("it is told that the server is there when it is gone")
	}
	second := started(t, hub.Options{Dir: dir})
	if second.URL() != at {
		t.Errorf("the second server listens on %s, the first on %s", second.URL(), at)
	}
	if err := <-told; err != nil {
		t.Errorf("the server is there again, but what is told is %v", err)
	}
	e, err := b.Get(t.Context(), "1")
	if err != nil || string(e.Value()) != "one" {
		t.Errorf("what was kept is %v, %v", e, err)
	}
	if _, err := b.Create(t.Context(), "1", []byte("two")); err == nil {
		t.Error("a key is made twice")
	}
}

// A message goes to one worker. If this worker is silent, the message goes to another worker. It is removed
// once it is acknowledged.
func TestQueue(t *testing.T) {
	h := connected(t, started(t, hub.Options{Dir: t.TempDir()}).Access())
	q, err := h.Queue(t.Context(), hub.StoreConfig{Name: "jobs"}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is the same
		if err := q.Add(t.Context(), "job 7", []byte("7")); err != nil {
			t.Fatal(err)
		}
	}
	take := func(wait time.Duration) jetstream.Msg {
		t.Helper()
		m, err := q.Workers.Next(jetstream.FetchMaxWait(wait))
		if err != nil {
			return nil
		}
		return m
	}
	if m := take(5 * time.Second); m == nil || string(m.Data()) != "7" {
		t.Fatalf("the message is %v", m)
	}
	if m := take(100 * time.Millisecond); m != nil {
		t.Error("two workers have the message, or it was put twice")
	}
	m := take(20 * time.Second)
	if m == nil {
		t.Fatal("the worker is silent, but no other gets its message")
	}
	if err := m.DoubleAck(t.Context()); err != nil {
		t.Fatal(err)
	}
	info, err := q.Stream.Info(t.Context())
	if err != nil || info.State.Msgs != 0 {
		t.Errorf("%v messages are left, %v", info.State.Msgs, err)
	}
}

// A client without valid credentials is refused, also on loopback. Each error is a sentence that names the
// cause.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	s := started(t, hub.Options{Dir: dir})
	other := started(t, hub.Options{Dir: t.TempDir()})
	file := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(file, []byte("no key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		access hub.Access
		says   string
	}{
		{hub.Access{Server: s.URL()}, "asks for credentials: --creds"},
		{hub.Access{Server: s.URL(), Creds: other.Access().Creds}, "refuses the credentials in"},
		{hub.Access{Server: s.URL(), Creds: file}, "has neither NATS credentials nor the seed of a key"},
		{hub.Access{Server: s.URL(), Creds: file + ".not"}, "--creds: stat"},
		{hub.Access{Server: s.URL(), CA: file + ".not"}, "--ca: open"},
		{hub.Access{Server: "nats://127.0.0.1:1"}, "the server nats://127.0.0.1:1 cannot be reached"},
		{hub.Access{Server: "nats://192.0.2.1:4222"}, "not on loopback: it needs --creds"},
		{hub.Access{Server: s.URL() + ",nats://192.0.2.1:4222"}, "not on loopback: it needs --creds"},
		{hub.Access{Server: "http://127.0.0.1:1"}, "must be nats://HOST:PORT"},
		{hub.Access{Server: ""}, "must be nats://HOST:PORT"},
		{hub.Access{Server: "nats://me:secret@127.0.0.1:1"}, "credentials belong in the file"},
	} {
		_, err := x.access.Connect(t.Context(), "test")
		if err == nil || !strings.Contains(err.Error(), x.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v; it should say %q", x.access, err, x.says)
		}
	}
	for _, x := range []struct {
		options hub.Options
		says    string
	}{
		{hub.Options{}, "dir is empty"},
		{hub.Options{Dir: dir}, "is in use by another server"},
		{hub.Options{Dir: t.TempDir(), Listen: "0.0.0.0:0"}, "not on loopback: it needs --tls-cert and --tls-key"},
		{hub.Options{Dir: t.TempDir(), Listen: "[::]:0"}, "not on loopback"},
		{hub.Options{Dir: t.TempDir(), Listen: ":4222"}, "not on loopback"},
		{hub.Options{Dir: t.TempDir(), Listen: "here"}, "must be HOST:PORT"},
		{hub.Options{Dir: t.TempDir(), Listen: "127.0.0.1:99999"}, "must be HOST:PORT"},
		{hub.Options{Dir: t.TempDir(), Cert: "a"}, "TLS needs both"},
		{hub.Options{Dir: t.TempDir(), Cert: "a", Key: "b"}, "--tls-cert: "},
	} {
		_, err := hub.Start(x.options)
		if err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%+v: %v; it should say %q", x.options, err, x.says)
		}
	}
	if _, err := hub.Local(t.TempDir()); err == nil || !strings.Contains(err.Error(), "--server names one elsewhere") {
		t.Errorf("the server of an empty directory: %v", err)
	}
	info, err := os.Stat(s.Access().Creds)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key is for others to read: %v, %v", info.Mode(), err)
	}
}

// A server without space reports an error, and keeps its data.
func TestFull(t *testing.T) {
	h := connected(t, started(t, hub.Options{Dir: t.TempDir(), MaxStore: 1 << 20}).Access())
	b, err := h.Bucket(t.Context(), hub.StoreConfig{Name: "results"})
	if err != nil {
		t.Fatal(err)
	}
	some := make([]byte, 100_000)
	for i := range 100 {
		if _, err = b.Put(t.Context(), string(rune('a'+i%26)), some); err != nil {
			break
		}
	}
	if !hub.Full(err) {
		t.Errorf("ten times what there is room for is kept, or the error is %v", err)
	}
	if e, err := b.Get(t.Context(), "a"); err != nil || len(e.Value()) != len(some) {
		t.Errorf("what was kept is gone: %v", err)
	}
}

// Two builds are one if their bytes are; a worker of another is refused with both.
func TestBuild(t *testing.T) {
	own, err := hub.Own()
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Valid(); err != nil {
		t.Error(err)
	}
	other := hub.Build{Version: "verify 1.2", Sum: strings.Repeat("ab", 32)}
	if err := own.Refuse("campaign night", own); err != nil {
		t.Error(err)
	}
	err = own.Refuse("campaign night", other)
	if err == nil || !strings.Contains(err.Error(), other.String()) || !strings.Contains(err.Error(), own.String()) {
		t.Errorf("both builds are to be named: %v", err)
	}
	for _, bad := range []hub.Build{{}, {Sum: "xyz"}, {Sum: own.Sum, Version: strings.Repeat("v", 501)}} {
		if bad.Valid() == nil {
			t.Errorf("%v is taken for a build", bad)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, good := range []string{"a", "night-1", strings.Repeat("a", 40)} {
		if err := hub.CheckName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "-a", "A", "a.b", "a b", "a*", "a>", "ä", "a/b", strings.Repeat("a", 41)} {
		if hub.CheckName(bad) == nil {
			t.Errorf("%q is taken for a name", bad)
		}
	}
}

// An object of several chunks is read back unchanged.
func TestObjects(t *testing.T) {
	h := connected(t, started(t, hub.Options{Dir: t.TempDir()}).Access())
	ctx := context.Background()
	o, err := h.Objects(ctx, hub.StoreConfig{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 3<<20)
	for i := range want {
		want[i] = byte(i >> 10)
	}
	if _, err := o.PutBytes(ctx, "x", want); err != nil {
		t.Fatal(err)
	}
	if got, err := o.GetBytes(ctx, "x"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("of the object %d bytes come back, %v", len(got), err)
	}
}
