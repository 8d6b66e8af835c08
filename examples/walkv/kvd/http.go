package main

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"contend/program/sim"
)

// A handler serves the keys of a store: GET, PUT and DELETE of /key.
type handler struct{ *store }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.URL.Path, "/")
	switch r.Method {
	case http.MethodGet:
		value, err := h.get(key)
		if err != nil {
			h.fail(w, err)
			return
		}
		_, _ = io.WriteString(w, value)
	case http.MethodPut:
		value, err := io.ReadAll(r.Body)
		if err == nil {
			err = h.put(key, string(value))
		}
		h.fail(w, err)
	case http.MethodDelete:
		h.fail(w, h.remove(key))
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// fail answers that a request failed, or that it did not.
func (h handler) fail(w http.ResponseWriter, err error) {
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.Is(err, errNone):
		w.WriteHeader(http.StatusNotFound)
	default:
		sim.Note("fails: " + err.Error())
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
