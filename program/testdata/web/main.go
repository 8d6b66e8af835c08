// Web is a server and its client that know only packages net and net/http: pages over TCP, echoes over TCP and UDP.
package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"contend/program/sim"
)

func main() {
	if sim.Host() == "server" {
		serve()
	}
	for {
		answer, err := call(sim.Invoked())
		if err != nil {
			answer = "failed"
			sim.Note(err.Error())
		}
		sim.Return(answer)
	}
}

func serve() {
	var count atomic.Int64
	http.HandleFunc("/count", func(w http.ResponseWriter, r *http.Request) {
		who, _, _ := net.SplitHostPort(r.RemoteAddr)
		fmt.Fprintf(w, "%d for %s", count.Add(1), who)
	})
	http.HandleFunc("/secret", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "secret") })
	http.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done() // until the client hangs up
		sim.Note("gone")
	})
	l, err := net.ListenTCP("tcp", &net.TCPAddr{Port: 7})
	check(err)
	go func() {
		for {
			c, err := l.AcceptTCP()
			check(err)
			go func() {
				all, err := io.ReadAll(c) // until the client sends no more
				check(err)
				fmt.Fprintf(c, "%s at %v", strings.ToUpper(string(all)), l.Addr())
				_ = c.Close()
			}()
		}
	}()
	u, err := net.ListenUDP("udp", &net.UDPAddr{Port: 9})
	check(err)
	go func() {
		b := make([]byte, 100)
		for {
			n, from, err := u.ReadFromUDP(b)
			check(err)
			_, err = u.WriteToUDP(b[:n], from)
			check(err)
		}
	}()
	go serveSecrets()
	check(http.ListenAndServe(":80", nil))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func call(what string) (string, error) {
	switch what {
	case "get":
		return get("http://server/count", time.Second)
	case "slow":
		return get("http://server/slow", 200*time.Millisecond)
	case "tcp":
		return tcp()
	case "udp":
		return udp()
	case "nobody":
		_, err := net.Dial("tcp", "nobody:80")
		return fmt.Sprint(err), nil
	case "records":
		_, err := net.LookupTXT("server")
		_, _, err2 := net.LookupSRV("http", "tcp", "server")
		return fmt.Sprint(err, "; ", err2), nil
	case "raw":
		return raw()
	case "options":
		return options()
	case "interfaces":
		return interfaces()
	case "accept":
		return accept()
	case "unix":
		return unix()
	case "tls":
		return secret()
	case "closed":
		_, err := net.Dial("tcp", "server:81")
		var op *net.OpError
		return fmt.Sprint(errors.As(err, &op), err), nil
	}
	addresses, err := net.LookupHost("server")
	return fmt.Sprint(addresses), err
}

func get(url string, limit time.Duration) (string, error) {
	c := &http.Client{Timeout: limit}
	r, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	all, err := io.ReadAll(r.Body)
	return string(all), err
}

func tcp() (string, error) {
	to, err := net.ResolveTCPAddr("tcp", "server:7")
	if err != nil {
		return "", err
	}
	c, err := net.DialTCP("tcp", nil, to)
	if err != nil {
		return "", err
	}
	defer c.Close()
	_ = c.SetNoDelay(true)
	if _, err := c.Write([]byte("loud")); err != nil {
		return "", err
	}
	if err := c.CloseWrite(); err != nil {
		return "", err
	}
	all, err := io.ReadAll(c)
	local := c.LocalAddr().(*net.TCPAddr)
	return fmt.Sprintf("%s from %v to %v", all, c.RemoteAddr(), local.IP), err
}

func udp() (string, error) {
	c, err := net.Dial("udp", "server:9")
	if err != nil {
		return "", err
	}
	defer c.Close()
	for {
		if _, err := c.Write([]byte("soft")); err != nil {
			return "", err
		}
		_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		b := make([]byte, 100)
		n, err := c.Read(b)
		if err, is := err.(net.Error); is && err.Timeout() {
			continue
		}
		return fmt.Sprintf("%s from %v", b[:n], c.RemoteAddr()), err
	}
}
