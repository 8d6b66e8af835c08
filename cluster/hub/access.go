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

// Access is what a client needs to reach a server.
type Access struct {
	// Server is its address, nats://HOST:PORT or tls://HOST:PORT; several, of one cluster, are separated by commas.
	Server string
	// Creds is the file of the credentials: NATS's own (a JWT and its key), or the seed of a key. Beyond loopback
	// they are required.
	Creds string
	// CA is the file of the certificates that vouch for the server's, in PEM; "" are those of the system.
	CA string
	// Told, unless nil, is told when the connection is lost (with the error) and when it is there again (nil).
	Told func(error)

	pin    string         // SHA-256 of the server's certificate, in hex; "" is any that CA vouches for
	inside *server.Server // of this process: no socket is needed
}

// Local is how the server of a directory is reached on this machine. The error says that none has been there.
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

// A Hub is a connection to a server. It is made again by itself whenever it is lost.
type Hub struct {
	conn *nats.Conn
	JS   jetstream.JetStream
	from Access
}

// parseServer reads one address. Credentials are not part of it: others see command lines.
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

// options are those of the connection, once the access is known to be allowed.
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
		return nil, fmt.Errorf("--server is %s, which is not on loopback: it needs --creds", a.Server)
	}
	told := a.Told
	if told == nil {
		told = func(error) {}
	}
	opts := []nats.Option{
		nats.Name("contend " + name), nats.Timeout(connectPatience), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(3), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // nil is the user's own doing
				told(err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { told(nil) }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // else they are printed
	}
	switch {
	case a.inside != nil:
	case a.pin != "":
		opts = append(opts, nats.Secure(pinned(a.pin)))
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

// pinned is TLS with a server of this machine, whose directory has the sum of its certificate: whoever can write there is trusted
// anyway, and the certificate need not name an address of loopback.
func pinned(pin string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		if sum := sha256.Sum256(s.PeerCertificates[0].Raw); hex.EncodeToString(sum[:]) != pin {
			return errors.New("its certificate is not the one in its directory")
		}
		return nil
	}}
}

// mostCreds bounds a file of credentials, in bytes.
const mostCreds = 64 << 10

// credentials reads a file of them, of either kind.
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

// Connect connects to the server, by a name that the server shows to those who look after it. The error is a sentence for the user.
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

// sentence says what keeps a client from its server.
func (a Access) sentence(err error) error {
	var bad *tls.CertificateVerificationError
	switch {
	case errors.As(err, &bad) && a.pin == "":
		return fmt.Errorf("the certificate of the server %s is refused: %w; --ca names the file of those that vouch for it", a.Server, bad.Err)
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked):
		if a.Creds == "" {
			return fmt.Errorf("the server %s asks for credentials: --creds names their file", a.Server)
		}
		return fmt.Errorf("the server %s refuses the credentials in %s", a.Server, a.Creds)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("the server %s is not on loopback, and speaks no TLS", a.Server)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the server %s has no JetStream", a.Server)
	}
	return fmt.Errorf("the server %s cannot be reached: %w", a.Server, err)
}

// Close ends the connection, once all that was sent is on its way.
func (h *Hub) Close() {
	_ = h.conn.FlushTimeout(time.Second) // a server that is gone gets nothing more
	h.conn.Close()
}

// Away is an error of which [Lost] is true while the connection is lost, else nil: what is sent then waits for its answer.
func (h *Hub) Away() error {
	if h.conn.IsConnected() {
		return nil
	}
	return nats.ErrDisconnected
}

// Lost reports whether an error says that the server is away, or was at that moment: what failed is worth
// another try.
func Lost(err error) bool {
	for _, of := range []error{nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		nats.ErrNoServers, context.DeadlineExceeded, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged,
		jetstream.ErrServerShutdown, jetstream.ErrConnectionClosed} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}
