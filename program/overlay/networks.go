package overlay

import _ "embed"

//go:embed hooks/net.go.txt
var netHook string

// networks edits package net: its fake of a network, where a program reaches only itself, becomes the one that package sim knows. All that package
// net makes of sockets is as it was.
func networks(o *release) {
	fake := o.open("net/net_fake.go")
	fake.enter("func socket(ctx context.Context, net string, family, sotype, proto int, ipv6only bool, laddr, raddr sockaddr, ctrlCtxFn func(context.Context, string, string, syscall.RawConn) error) (*netFD, error)",
		"if contendConnects(net) { return contendOpen(ctx, net, family, sotype, laddr, raddr) }")
	fake.line("type fakeNetFD struct {", "type fakeNetFD struct { contendSocket;")
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
	names := o.open("net/lookup.go")
	names.enter("func (r *Resolver) lookupIPAddr(ctx context.Context, network, host string) ([]IPAddr, error)",
		"if all, err, known := contendLookup(host); known { return all, err }")
	names.enter("func (r *Resolver) LookupHost(ctx context.Context, host string) (addrs []string, err error)",
		"if all, err, known := contendLookup(host); known { for _, a := range all { addrs = append(addrs, a.String()) }; return addrs, err }")
	o.add("net/contend_wasip1.go", netHook)
}
