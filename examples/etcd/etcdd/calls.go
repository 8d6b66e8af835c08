package main

import (
	"context"
	"fmt"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"contend/program/sim"
)

// client makes the calls of its application at servers.
func client(servers []string) error {
	var all []string
	for _, name := range servers {
		all = append(all, "http://"+name+":2379")
	}
	c, err := clientv3.New(clientv3.Config{Endpoints: all})
	if err != nil {
		return err
	}
	calls(c)
	return nil
}

// calls makes the calls of the application.
func calls(c *clientv3.Client) {
	for {
		sim.Return(call(c, strings.Fields(sim.Invoked())))
	}
}

// call makes a call. It returns the revision of the store, and for a read the value, or "unknown".
func call(c *clientv3.Client, words []string) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch key := words[1]; words[0] {
	case "get":
		answer, err := c.Get(ctx, key)
		if err != nil {
			return "failed"
		}
		is := "none"
		for _, kv := range answer.Kvs {
			is = fmt.Sprintf("%s@%d", kv.Value, kv.ModRevision)
		}
		return fmt.Sprint(is, " ", answer.Header.Revision)
	case "put":
		answer, err := c.Put(ctx, key, words[2])
		if err != nil {
			return unknown(err)
		}
		return fmt.Sprint("ok ", answer.Header.Revision)
	case "del":
		answer, err := c.Delete(ctx, key)
		if err != nil {
			return unknown(err)
		}
		return fmt.Sprint("ok ", answer.Header.Revision)
	}
	panic("no such call: " + words[0])
}

func unknown(err error) string {
	sim.Note("fails: " + err.Error())
	return "unknown"
}
