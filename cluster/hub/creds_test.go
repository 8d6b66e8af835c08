package hub_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"contend/cluster/hub"
)

// pair returns a new key pair of a kind, with its public part.
func pair(t *testing.T, make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
	t.Helper()
	p, err := make()
	if err != nil {
		t.Fatal(err)
	}
	public, err := p.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return p, public
}

// credsOf writes the credentials of a new user of an account. They expire at the given time.
func credsOf(t *testing.T, account nkeys.KeyPair, ends time.Time) string {
	t.Helper()
	key, public := pair(t, nkeys.CreateUser)
	claims := jwt.NewUserClaims(public)
	claims.Expires = ends.Unix()
	token, err := claims.Encode(account)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := key.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.FormatUserConfig(token, seed)
	file := filepath.Join(t.TempDir(), "user.creds")
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The server accepts NATS's own credentials, of a user of an account of the server's operator. It refuses
// credentials of another account, and expired credentials.
func TestCredentials(t *testing.T) {
	operator, public := pair(t, nkeys.CreateOperator)
	account, name := pair(t, nkeys.CreateAccount)
	stranger, _ := pair(t, nkeys.CreateAccount)
	_, systemName := pair(t, nkeys.CreateAccount)
	resolver := &server.MemAccResolver{}
	for _, n := range []string{name, systemName} {
		claims := jwt.NewAccountClaims(n)
		if n == name {
			claims.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: -1, Streams: -1, Consumer: -1}
		}
		token, err := claims.Encode(operator)
		if err == nil {
			err = resolver.Store(n, token)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		TrustedOperators: []*jwt.OperatorClaims{jwt.NewOperatorClaims(public)}, AccountResolver: resolver, SystemAccount: systemName,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	url := "nats://" + s.Addr().String()
	h := connected(t, hub.Access{Server: url, Creds: credsOf(t, account, time.Now().Add(time.Hour))})
	if _, err := h.Bucket(t.Context(), hub.StoreConfig{Name: "a"}); err != nil {
		t.Error(err)
	}
	for _, file := range []string{credsOf(t, stranger, time.Now().Add(time.Hour)), credsOf(t, account, time.Now().Add(-time.Hour))} {
		_, err := hub.Access{Server: url, Creds: file}.Connect(t.Context(), "test")
		if err == nil || !strings.Contains(err.Error(), "refuses the credentials in "+file) {
			t.Errorf("it is not refused, or the error is %v", err)
		}
	}
}
