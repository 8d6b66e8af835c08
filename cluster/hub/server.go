package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"contend/checker/search/storage"
)

// MaxMessage is the maximum size of a message on a server of this package, in bytes.
const MaxMessage = 8 << 20

// Options configure a server.
type Options struct {
	// Dir has the server's files, key and address. It is used by one server at a time, and created if it does
	// not exist.
	Dir string
	// Listen is host:port. If it is empty, the server listens on a free port of loopback, preferably the last
	// server's port.
	Listen string
	// Cert and Key are PEM files with a TLS certificate and its key, required beyond loopback.
	Cert, Key string
	// MaxStore bounds the files, in bytes; 0 is JetStream's default, three quarters of the free disk.
	MaxStore int64
}

// A Server is a NATS server with JetStream in this process.
type Server struct {
	server  *server.Server
	dir     string
	lock    io.Closer
	address address
}

// An address is the server's address, stored in its directory for clients on this machine.
type address struct {
	URL  string `json:"url"`
	Cert string `json:"cert,omitempty"` // SHA-256 of the certificate, in hex; the certificate may name only other hosts
}

// Files of a server's directory.
const (
	keyFile     = "key"         // seed of the clients' key
	addressFile = "server.json" // see address
	lockFile    = "lock"
	storeDir    = "jetstream"
)

// ErrInUse is the error of a directory that another server uses. [Local] reaches that server.
var ErrInUse = errors.New("another server")

// startPatience is the maximum time of a server's start: it reads its whole store.
const startPatience = time.Minute

// Start starts a server and waits until it accepts connections. The error is one sentence.
func Start(o Options) (*Server, error) {
	host, port, err := o.listen()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the directory of the server: %w", err)
	}
	lock, err := storage.OS{}.Lock(filepath.Join(o.Dir, lockFile))
	if errors.Is(err, storage.ErrLocked) {
		return nil, fmt.Errorf("%s is in use by %w", o.Dir, ErrInUse)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot lock the directory of the server: %w", err)
	}
	s := &Server{dir: o.Dir, lock: lock}
	if err := s.start(o, host, port); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// listen validates the options and returns the server's host and port. Port 0 is any free port.
func (o Options) listen() (host string, port int, err error) {
	if o.Dir == "" {
		return "", 0, errors.New("dir is empty, but must be a directory for the files of the server")
	}
	if (o.Cert == "") != (o.Key == "") {
		return "", 0, errors.New("TLS needs both --tls-cert and --tls-key")
	}
	host, port = "127.0.0.1", 0
	if o.Listen != "" {
		h, p, err := net.SplitHostPort(o.Listen)
		if err == nil {
			port, err = strconv.Atoi(p)
		}
		if err != nil || port < 0 || port > 65535 {
			return "", 0, fmt.Errorf("--listen is %q, but must be HOST:PORT", o.Listen)
		}
		host = h
	}
	if !loopback(host) && o.Cert == "" {
		return "", 0, fmt.Errorf("--listen is %s, and not on loopback: it needs --tls-cert and --tls-key", o.Listen)
	}
	return host, port, nil
}

// loopback reports whether a host is only reachable from this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s *Server) start(o Options, host string, port int) error {
	public, err := s.key()
	if err != nil {
		return err
	}
	if o.Listen == "" {
		port = s.lastPort()
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	opts := &server.Options{
		ServerName: "contend", Host: host, Port: port, NoLog: true, NoSigs: true, DisableJetStreamBanner: true,
		JetStream: true, StoreDir: filepath.Join(o.Dir, storeDir), JetStreamMaxStore: o.MaxStore,
		MaxPayload: MaxMessage, MaxPending: 8 * MaxMessage, Nkeys: []*server.NkeyUser{{Nkey: public}},
	}
	if o.Cert != "" {
		if opts.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: o.Cert, KeyFile: o.Key}); err != nil {
			return fmt.Errorf("--tls-cert: %w", err)
		}
		opts.TLS, opts.TLSTimeout = true, 5
	}
	if s.server, err = server.NewServer(opts); err != nil {
		return fmt.Errorf("cannot start the server: %w", err)
	}
	s.server.Start()
	if !s.server.ReadyForConnections(startPatience) || !s.server.JetStreamEnabled() {
		return fmt.Errorf("the server does not start on %s: is its address free, and can %s be written?", net.JoinHostPort(host, strconv.Itoa(max(port, 0))), o.Dir)
	}
	s.address = address{URL: "nats://" + s.server.Addr().String()}
	if o.Cert != "" {
		sum := sha256.Sum256(opts.TLSConfig.Certificates[0].Certificate[0])
		s.address = address{URL: "tls://" + s.localAddr().String(), Cert: hex.EncodeToString(sum[:])}
	}
	return s.writeAddress()
}

// localAddr returns the server's address for clients on this machine.
func (s *Server) localAddr() *net.TCPAddr {
	at := *s.server.Addr().(*net.TCPAddr)
	if at.IP.IsUnspecified() {
		at.IP = net.IPv4(127, 0, 0, 1)
	}
	return &at
}

// key returns the public part of the clients' key, and creates the key if it does not exist.
func (s *Server) key() (public string, err error) {
	path := filepath.Join(s.dir, keyFile)
	seed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		pair, err := nkeys.CreateUser()
		if err != nil {
			return "", err
		}
		if seed, err = pair.Seed(); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, append(seed, '\n'), 0o600); err != nil {
			return "", fmt.Errorf("cannot store the key of the server: %w", err)
		}
	} else if err != nil {
		return "", fmt.Errorf("cannot read the key of the server: %w", err)
	}
	pair, err := nkeys.ParseDecoratedNKey(seed)
	if err != nil {
		return "", fmt.Errorf("%s is no key: %w", path, err)
	}
	return pair.PublicKey()
}

// lastPort returns the port of the directory's last server if it is free, otherwise 0. So workers of the last
// server find this server.
func (s *Server) lastPort() int {
	at, err := readAddress(s.dir)
	if err != nil {
		return 0
	}
	u, err := parseServer(at.URL)
	if err != nil {
		return 0
	}
	p := u.Port()
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", p))
	if err != nil {
		return 0
	}
	defer l.Close()
	port, _ := strconv.Atoi(p)
	return port
}

// writeAddress writes the address for clients on this machine.
func (s *Server) writeAddress() error {
	b, err := json.Marshal(s.address)
	if err != nil {
		return err
	}
	path := filepath.Join(s.dir, addressFile)
	if err := os.WriteFile(path+".new", append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("cannot store the address of the server: %w", err)
	}
	return os.Rename(path+".new", path)
}

// readAddress reads the address of a directory's present or last server.
func readAddress(dir string) (address, error) {
	var at address
	b, err := os.ReadFile(filepath.Join(dir, addressFile))
	if err != nil {
		return at, err
	}
	if err := json.Unmarshal(b, &at); err != nil {
		return at, err
	}
	if _, err := parseServer(at.URL); err != nil {
		return at, err
	}
	return at, nil
}

// Access returns the access for clients on this machine.
func (s *Server) Access() Access {
	return Access{Server: "nats://" + s.localAddr().String(), Creds: filepath.Join(s.dir, keyFile), inside: s.server}
}

// URL returns the server's address. For a server on all addresses it is one on this machine.
func (s *Server) URL() string { return s.address.URL }

// RemoteAddress returns the address for clients on other machines. The user must replace HOST.
func (s *Server) RemoteAddress() string {
	if at := s.server.Addr().(*net.TCPAddr); at.IP.IsUnspecified() {
		return fmt.Sprintf("tls://HOST:%d", at.Port)
	}
	return s.address.URL
}

// Close stops the server. The stores remain.
func (s *Server) Close() error {
	if s.server != nil {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	}
	return s.lock.Close()
}

// connectPatience is the maximum time of a first connection.
const connectPatience = 5 * time.Second

// Patient returns a context with a timeout of 30 seconds, for a request to a busy server.
func Patient(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, 30*time.Second)
}
