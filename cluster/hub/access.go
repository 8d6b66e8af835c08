package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Access has the parameters of a connection to a server.
type Access struct {
	// Server is the address nats://HOST:PORT or tls://HOST:PORT, or several of one cluster, separated by
	// commas.
	Server string
	// Creds is a file with credentials: a NATS JWT with its key, or the seed of a key. It is required beyond
	// loopback.
	Creds string
	// CA is a PEM file with certificates that sign the server's; "" is the system's.
	CA string
	// Notify, if not nil, is called with the error when the connection is lost, and with nil when it is
	// restored. NATS calls it from a separate goroutine.
	Notify func(error)

	pin    string         // SHA-256 of the server's certificate, in hex; "" trusts the CA
	inside *server.Server // server in this process; the connection needs no socket
}

// Local returns the access to the server of a directory on this machine. It fails if the directory has had no
// server.
func Local(dir string) (Access, error) {
	at, err := readAddress(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Access{}, fmt.Errorf("no server has used %s; --server names one elsewhere", dir)
	}
	if err != nil {
		return Access{}, fmt.Errorf("%s: %w", filepath.Join(dir, addressFile), err)
	}
	return Access{Server: at.URL, Creds: filepath.Join(dir, keyFile), pin: at.Cert}, nil
}

// A Hub is a connection to a server. It reconnects automatically.
type Hub struct {
	conn *nats.Conn
	JS   jetstream.JetStream
	from Access
}

// parseServer parses one address. It refuses credentials, since command lines are visible to others.
func parseServer(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "nats" && u.Scheme != "tls", u.Hostname() == "", u.Path != "", u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("--server is %q, but must be nats://HOST:PORT or tls://HOST:PORT", text)
	case u.User != nil:
		return nil, errors.New("--server has a user, but credentials belong in the file that --creds names")
	}
	return u, nil
}

// options validates the access and returns the connection's options.
func (a Access) options(name string) ([]nats.Option, error) {
	beyond := false
	for _, text := range strings.Split(a.Server, ",") {
		u, err := parseServer(text)
		if err != nil {
			return nil, err
		}
		beyond = beyond || !loopback(u.Hostname())
	}
	if beyond && a.Creds == "" {
		return nil, fmt.Errorf("--server is %s, and not on loopback: it needs --creds", a.Server)
	}
	notify := a.Notify
	if notify == nil {
		notify = func(error) {}
	}
	opts := []nats.Option{
		nats.Name("contend " + name), nats.Timeout(connectPatience), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(3), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil if the client closed it
				notify(err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { notify(nil) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // the default prints errors
	}
	switch {
	case a.inside != nil:
	case a.pin != "":
		opts = append(opts, nats.Secure(pinnedConfig(a.pin)))
	case beyond:
		opts = append(opts, nats.Secure())
	}
	if a.CA != "" {
		text, err := os.ReadFile(a.CA)
		if err == nil && !x509.NewCertPool().AppendCertsFromPEM(text) {
			err = fmt.Errorf("%s has no certificate", a.CA)
		}
		if err != nil {
			return nil, fmt.Errorf("--ca: %w", err)
		}
		opts = append(opts, nats.RootCAs(a.CA))
	}
	if a.inside != nil {
		opts = append(opts, nats.InProcessServer(a.inside))
	}
	if a.Creds == "" {
		return opts, nil
	}
	creds, err := credentials(a.Creds)
	if err != nil {
		return nil, fmt.Errorf("--creds: %w", err)
	}
	return append(opts, creds), nil
}

// pinnedConfig returns a TLS configuration for a server on this machine with a known certificate. The
// directory's owner is trusted, and the certificate need not name a loopback address.
func pinnedConfig(pin string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		if sum := sha256.Sum256(s.PeerCertificates[0].Raw); hex.EncodeToString(sum[:]) != pin {
			return errors.New("its certificate is not the one in its directory")
		}
		return nil
	}}
}

// mostCreds is the maximum size of a file of credentials, in bytes.
const mostCreds = 64 << 10

// credentials reads a file of credentials of either kind.
func credentials(path string) (nats.Option, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > mostCreds {
		return nil, fmt.Errorf("%s has %d bytes, but credentials have at most %d", path, info.Size(), mostCreds)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(b, []byte("BEGIN NATS USER JWT")) {
		return nats.UserCredentials(path), nil
	}
	opt, err := nats.NkeyOptionFromSeed(path)
	if err != nil {
		return nil, fmt.Errorf("%s has neither NATS credentials nor the seed of a key", path)
	}
	return opt, nil
}

// Connect connects to the server. The name identifies the client to the server's administrators. The error is
// one sentence.
func (a Access) Connect(ctx context.Context, name string) (*Hub, error) {
	opts, err := a.options(name)
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(a.Server, opts...)
	if err != nil {
		return nil, a.sentence(err)
	}
	js, err := jetstream.New(conn)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, connectPatience)
		defer cancel()
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		conn.Close()
		return nil, a.sentence(err)
	}
	return &Hub{conn: conn, JS: js, from: a}, nil
}

// sentence returns a connection's error as a sentence for the user.
func (a Access) sentence(err error) error {
	var bad *tls.CertificateVerificationError
	switch {
	case errors.As(err, &bad) && a.pin == "":
		return fmt.Errorf("the certificate of the server %s is refused: %w; --ca names the file with its certificate authority", a.Server, bad.Err)
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		if a.Creds == "" {
			return fmt.Errorf("the server %s asks for credentials: --creds names their file", a.Server)
		}
		return fmt.Errorf("the server %s refuses the credentials in %s", a.Server, a.Creds)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("the server %s is not on loopback, and has no TLS", a.Server)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the server %s has no JetStream", a.Server)
	}
	return fmt.Errorf("the server %s cannot be reached: %w", a.Server, err)
}

// Close sends buffered data and ends the connection.
func (h *Hub) Close() {
	_ = h.conn.FlushTimeout(time.Second) // fails only if the server is gone
	h.conn.Close()
}

// ConnectionError returns an error that satisfies [ConnectionLost] while the connection is lost, otherwise
// nil.
func (h *Hub) ConnectionError() error {
	if h.conn.IsConnected() {
		return nil
	}
	return nats.ErrDisconnected
}

// ConnectionLost reports whether an error is a temporary loss of the server, so that a retry may succeed.
func ConnectionLost(err error) bool {
	for _, temporary := range []error{nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		nats.ErrNoServers, context.DeadlineExceeded, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged,
		jetstream.ErrServerShutdown, jetstream.ErrConnectionClosed} {
		if errors.Is(err, temporary) {
			return true
		}
	}
	return false
}
