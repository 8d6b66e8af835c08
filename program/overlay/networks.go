package overlay

import (
	"bytes"
	_ "embed"
	gobuild "go/build"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed hooks/net.go.txt
var netHook string

//go:embed hooks/net_native.go.txt
var rawHook string

// networks edits package net: its fake of a network, where a program reaches only itself, becomes the one that package sim knows. All that package
// net makes of sockets is as it was. For a native guest the package is built from its files for wasm, which do not ask a kernel for sockets.
func networks(o *release, native bool) {
	if native {
		socketless(o)
		raws(o)
	}
	fake := o.open("net/net_fake.go")
	fake.enter("func socket(ctx context.Context, net string, family, sotype, proto int, ipv6only bool, laddr, raddr sockaddr, ctrlCtxFn func(context.Context, string, string, syscall.RawConn) error) (*netFD, error)",
		"if contendConnects(net) { return contendOpen(ctx, net, family, sotype, laddr, raddr) }")
	fake.line("type fakeNetFD struct {", "type fakeNetFD struct { contendSocket;")
	fake.line("if i <= 0 {", "if contendIP == nil && i <= 0 {") // a socket may be anywhere
	fake.line("err := os.Stat(sa.Name[:i+1]); err != nil {", "err := os.Stat(sa.Name[:i+1]); contendIP == nil && err != nil {")
	for _, m := range []struct{ signature, does string }{
		{"func (ffd *fakeNetFD) Read(p []byte) (n int, err error)", "ffd.contendSocket.read(p)"},
		{"func (ffd *fakeNetFD) Write(p []byte) (nn int, err error)", "ffd.contendSocket.write(p)"},
		{"func (ffd *fakeNetFD) Close() (err error)", "ffd.contendSocket.close()"},
		{"func (ffd *fakeNetFD) closeRead() error", "nil"},
		{"func (ffd *fakeNetFD) closeWrite() error", "ffd.contendSocket.closeWrite()"},
		{"func (ffd *fakeNetFD) accept(laddr Addr) (*netFD, error)", "ffd.contendSocket.accept(ffd.fd)"},
		{"func (ffd *fakeNetFD) SetDeadline(t time.Time) error", "ffd.contendSocket.deadline(t, true, true)"},
		{"func (ffd *fakeNetFD) SetReadDeadline(t time.Time) error", "ffd.contendSocket.deadline(t, true, false)"},
		{"func (ffd *fakeNetFD) SetWriteDeadline(t time.Time) error", "ffd.contendSocket.deadline(t, false, true)"},
		{"func (ffd *fakeNetFD) readFrom(p []byte) (n int, sa syscall.Sockaddr, err error)", "ffd.contendSocket.readFrom(p, ffd.fd.family)"},
		{"func (ffd *fakeNetFD) writeTo(p []byte, sa syscall.Sockaddr) (n int, err error)", "ffd.contendSocket.writeTo(p, ffd.fd, sa)"},
		{"func (ffd *fakeNetFD) setReadBuffer(bytes int) error", "nil"},
		{"func (ffd *fakeNetFD) setWriteBuffer(bytes int) error", "nil"},
		{"func (ffd *fakeNetFD) setLinger(sec int) error", "nil"},
	} {
		fake.enter(m.signature, "if ffd.contendSocket.is() { return "+m.does+" }")
	}
	for _, family := range []string{"4", "6"} {
		fake.enter("func (ffd *fakeNetFD) readFromInet"+family+"(p []byte, sa *syscall.SockaddrInet"+family+") (n int, err error)",
			"if ffd.contendSocket.is() { n, from, err := ffd.contendSocket.readFrom(p, syscall.AF_INET"+map[string]string{"4": "", "6": "6"}[family]+
				"); if err == nil { *sa = *from.(*syscall.SockaddrInet"+family+") }; return n, err }")
	}
	for file, options := range map[string][]string{
		"net/sockopt_fake.go": {"func setKeepAlive(fd *netFD, keepalive bool) error"},
		"net/tcpsockopt_stub.go": {"func setNoDelay(fd *netFD, noDelay bool) error", "func setKeepAliveIdle(fd *netFD, d time.Duration) error",
			"func setKeepAliveInterval(fd *netFD, d time.Duration) error", "func setKeepAliveCount(fd *netFD, n int) error"},
	} {
		for _, signature := range options {
			o.open(file).enter(signature, "if fd.fakeNetFD != nil && fd.fakeNetFD.contendSocket.is() { return nil }")
		}
	}
	interfaces := o.open("net/interface_stub.go")
	interfaces.enter("func interfaceTable(ifindex int) ([]Interface, error)", "if contendIP != nil { return contendInterfaces(ifindex), nil }")
	interfaces.enter("func interfaceAddrTable(ifi *Interface) ([]Addr, error)", "if contendIP != nil { return contendAddresses(ifi), nil }")
	names := o.open("net/lookup.go")
	names.enter("func (r *Resolver) lookupIPAddr(ctx context.Context, network, host string) ([]IPAddr, error)",
		"if all, err, known := contendLookup(host); known { return all, err }")
	names.enter("func (r *Resolver) LookupHost(ctx context.Context, host string) (addrs []string, err error)",
		"if all, err, known := contendLookup(host); known { for _, a := range all { addrs = append(addrs, a.String()) }; return addrs, err }")
	// Nobody answers at the address of a server that package net would guess.
	o.open("net/dnsclient_unix.go").enter("func (r *Resolver) tryOneName(ctx context.Context, cfg *dnsConfig, name string, qtype dnsmessage.Type) (dnsmessage.Parser, string, error)",
		`if contendIP != nil && (r == nil || r.Dial == nil) { return dnsmessage.Parser{}, "", newDNSError(errNoSuchHost, name, "") }`)
	name := "net/contend_wasip1.go"
	if native {
		name = "net/contend_linux.go"
	}
	o.add(name, netHook)
}

// raws lets a program read from connections by system calls, in the method Read of a syscall.RawConn. Package syscall asks package net then.
// Its edits of a function come before others.
func raws(o *release) {
	fake := o.open("net/net_fake.go")
	o.add("net/contend_raw_linux.go", rawHook)
	o.open("net/rawconn.go").enter("func (c *rawConn) Read(f func(uintptr) bool) error",
		"if c.ok() && c.fd.fakeNetFD != nil && c.fd.fakeNetFD.conn != nil { return c.fd.contendReadRaw(f) }")
	fake.enter("func (ffd *fakeNetFD) Read(p []byte) (n int, err error)", "if n, is := ffd.fd.contendDrain(p); is { return n, nil }")
	fake.enter("func (ffd *fakeNetFD) Close() (err error)", "contendRaws.forget(ffd.fd.pfd.Sysfd)")
	o.open("syscall/syscall_unix.go").enter("func Read(fd int, p []byte) (n int, err error)", "if fd >= 1<<20 && contendRead != nil { return contendRead(fd, p) }")
	o.add("syscall/contend_linux.go", "package syscall\n\nimport _ \"unsafe\"\n\n//go:linkname contendRead\nvar contendRead func(fd int, p []byte) (n int, err error)\n")
}

var constraint = regexp.MustCompile(`(?m)^//go:build .*$`)

// socketless has package net for linux be built from the files for js: those that only one of the two systems has change places, and where the
// package looks at the name of the system, linux is as js. The two systems are told apart as the go command does, so that the lists of
// files need not be known.
func socketless(o *release) {
	linux, js := gobuild.Default, gobuild.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", false
	js.GOOS, js.GOARCH, js.CgoEnabled = "js", "wasm", false
	dir := filepath.Join(o.goroot, "src", "net")
	for _, name := range o.files("net") {
		here, err := linux.MatchFile(dir, filepath.Base(name))
		there, err2 := js.MatchFile(dir, filepath.Base(name))
		s := o.open(name)
		switch {
		case err != nil || err2 != nil:
			s.fail("cannot be read")
		case here && !there:
			s.restrict("ignore")
		case there && !here && strings.HasSuffix(name, "_js.go"):
			o.added["net/contend_"+strings.TrimSuffix(filepath.Base(name), "_js.go")+".go"] = constraint.ReplaceAll(s.text, []byte("//"))
		case there && !here:
			s.restrict("linux")
		case here:
			s.alike(`"js", "wasip1":`, `"js", "wasip1", "linux":`)
		}
	}
}

// restrict gives a file another build constraint, on the line of the one that it has, or of its first comment.
func (s *source) restrict(to string) {
	at := constraint.FindIndex(s.text)
	if at == nil {
		at = []int{0, bytes.IndexByte(s.text, '\n')}
	}
	if !bytes.HasPrefix(s.text[at[0]:], []byte("//")) {
		s.fail("does not begin with a comment")
		return
	}
	s.edits = append(s.edits, edit{at[0], at[1], "//go:build " + to})
}

// alike replaces a text wherever it occurs.
func (s *source) alike(from, to string) {
	for at := 0; ; {
		next := bytes.Index(s.text[at:], []byte(from))
		if next < 0 {
			return
		}
		at += next
		s.edits = append(s.edits, edit{at, at + len(from), to})
		at += len(from)
	}
}
