// Counter counts the packets that it is sent, and answers each with the count. Its clients send one for each call of their application.
package main

import (
	"fmt"
	"os"
	"time"

	"contend/program/sim"
)

func init() { sim.Main(main) }

func main() {
	if sim.Host() == "server" {
		serve()
	}
	c, err := sim.Dial("udp", "server:9")
	if err != nil {
		panic(err)
	}
	for {
		call := sim.Invoked()
		if call == "time" {
			sim.Return(time.Now().UTC().Format(time.TimeOnly))
			continue
		}
		if call == "panic" {
			go fail(call)
			time.Sleep(time.Hour)
		}
		if call == "return" {
			return
		}
		if call == "exit" {
			println("the first line\nthe second line\n\nthe third")
			println("exit: as it was asked to")
			os.Exit(3)
		}
		if _, err := c.Write([]byte(call)); err != nil {
			panic(err)
		}
		b := make([]byte, 100)
		n, err := c.Read(b)
		if err != nil {
			panic(err)
		}
		sim.Return(string(b[:n]))
	}
}

func fail(why string) { panic("on purpose: " + why) }

func serve() {
	l, err := sim.ListenPacket("udp", ":9")
	if err != nil {
		panic(err)
	}
	count := 0
	sim.View(func() []byte { return fmt.Append(nil, count) })
	b := make([]byte, 100)
	for {
		n, from, err := l.ReadFrom(b)
		if err != nil {
			panic(err)
		}
		count++
		answer := fmt.Appendf(nil, "%s %d", b[:n], count)
		switch {
		case len(os.Args) > 1 && os.Args[1] == "wrong" && count == 2:
			count = 1
			answer = []byte("wrong 1")
		case len(os.Args) > 1 && os.Args[1] == "quiet":
			answer = append([]byte("port "), from.String()[1]) // another one for each client
		}
		if _, err := l.WriteTo(answer, from); err != nil {
			panic(err)
		}
	}
}
