package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"
)

// options sets what servers and clients set on their connections.
func options() (string, error) {
	c, err := net.Dial("tcp", "server:7")
	if err != nil {
		return "", err
	}
	defer c.Close()
	t := c.(*net.TCPConn)
	raw, err := t.SyscallConn()
	if err != nil {
		return "", err
	}
	return "set", errors.Join(t.SetKeepAlive(true), t.SetKeepAlivePeriod(time.Second), t.SetNoDelay(false), t.SetLinger(0),
		t.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: time.Second, Count: 3}), raw.Control(control))
}

// interfaces lists the addresses of the network interfaces.
func interfaces() (string, error) {
	said := ""
	all, err := net.Interfaces()
	for _, i := range all {
		addresses, err := i.Addrs()
		if err != nil {
			return "", err
		}
		said += fmt.Sprintln(i.Name, i.Flags&net.FlagLoopback != 0, addresses)
	}
	addresses, _ := net.InterfaceAddrs()
	return fmt.Sprint(said, len(addresses)), err
}

// accept waits for connections that do not come, until its deadline and until it is closed.
func accept() (string, error) {
	l, err := net.ListenTCP("tcp", &net.TCPAddr{Port: 99})
	if err != nil {
		return "", err
	}
	_ = l.SetDeadline(time.Now().Add(50 * time.Millisecond))
	_, late := l.Accept()
	_ = l.SetDeadline(time.Time{})
	time.AfterFunc(10*time.Millisecond, func() { _ = l.Close() })
	_, closed := l.Accept()
	return fmt.Sprint(errors.Is(late, os.ErrDeadlineExceeded), errors.Is(closed, net.ErrClosed)), nil
}

// unix talks to itself.
func unix() (string, error) {
	l, err := net.Listen("unix", "/socket")
	if err != nil {
		return "", err
	}
	go func() {
		c, err := l.Accept()
		check(err)
		_, err = io.Copy(c, c)
		check(err)
		check(c.Close())
	}()
	c, err := net.Dial("unix", "/socket")
	if err != nil {
		return "", err
	}
	_, err = c.Write([]byte("echo"))
	check(err)
	check(c.(*net.UnixConn).CloseWrite())
	all, err := io.ReadAll(c)
	return string(all), errors.Join(err, c.Close(), l.Close())
}

// serveSecrets serves pages over TLS, with a certificate that nobody signed.
func serveSecrets() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	now := time.Now()
	form := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"server"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	check(err)
	s := &http.Server{Addr: ":443", TLSConfig: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}}
	check(s.ListenAndServeTLS("", ""))
}

// secret gets a page over TLS, by HTTP/2.
func secret() (string, error) {
	t := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer t.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://server/secret", nil)
	if err != nil {
		return "", err
	}
	a, err := t.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	all, err := io.ReadAll(a.Body)
	return fmt.Sprint(string(all), " by ", a.Proto, " of ", a.TLS.PeerCertificates[0].DNSNames), err
}

// raw reads an echo by system calls. A read that nothing comes for ends at its deadline.
func raw() (string, error) {
	c, err := net.Dial("tcp", "server:7")
	if err != nil {
		return "", err
	}
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, late := readAll(c.(*net.TCPConn))
	_ = c.SetReadDeadline(time.Time{})
	if _, err := c.Write([]byte("seven words")); err != nil {
		return "", err
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		return "", err
	}
	all, err := readAll(c.(*net.TCPConn))
	return fmt.Sprint(string(all), " ", errors.Is(late, os.ErrDeadlineExceeded)), err
}
