package main

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"contend/program/sim"
)

// client makes the calls of its application at a server: "get KEY", "put KEY VALUE" and "del KEY".
func client(server string) error {
	c := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DialContext: sim.DialContext}}
	for {
		sim.Return(call(c, server, strings.Fields(sim.Invoked())))
	}
}

// call makes a call. It returns a value, "none" if there is no value, "ok" after a change, "failed" if
// nothing was changed, or "unknown".
func call(c *http.Client, server string, op []string) string {
	method, body := http.MethodGet, ""
	switch op[0] {
	case "put":
		method, body = http.MethodPut, op[2]
	case "del":
		method = http.MethodDelete
	}
	request, err := http.NewRequest(method, "http://"+server+"/"+op[1], strings.NewReader(body))
	if err != nil {
		return "failed"
	}
	answer, err := c.Do(request)
	if err != nil {
		return unanswered(op[0], err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return unanswered(op[0], err)
	case answer.StatusCode == http.StatusOK:
		return string(content)
	case answer.StatusCode == http.StatusNoContent:
		return "ok"
	case answer.StatusCode == http.StatusNotFound:
		return "none"
	}
	if op[0] == "get" {
		return answer.Status // no specification allows this status: written values can be read
	}
	return unanswered(op[0], errors.New(answer.Status))
}

// unanswered returns the result of a call without an answer. A change may have been made, or may be made later,
// unless nobody listened.
func unanswered(op string, err error) string {
	if op == "get" || errors.Is(err, syscall.ECONNREFUSED) {
		return "failed"
	}
	return "unknown"
}
