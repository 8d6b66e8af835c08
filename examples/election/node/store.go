package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	coordination "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"

	"contend/program/sim"
)

// file is the file with the lease.
const file = "/data/lease"

// A store is the part of the Kubernetes API server that an election uses: it reads, creates and updates one lease.
type store struct {
	mistake string
	mu      sync.Mutex
}

// serve serves the lease.
func serve(o options) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return http.ListenAndServe(":80", &store{mistake: o.mistake})
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	lease, err := s.handle(r)
	var answer any = lease
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		status := err.Status()
		status.Kind, status.APIVersion = "Status", "v1"
		w.WriteHeader(int(status.Code))
		answer = status
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// handle makes the request, and returns the lease that is stored then.
func (s *store) handle(r *http.Request) (*coordination.Lease, *errors.StatusError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var old, wanted coordination.Lease
	resource, name := coordination.Resource("leases"), filepath.Base(r.URL.Path)
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	switch {
	case err != nil && !os.IsNotExist(err):
		return nil, errors.NewInternalError(err)
	case err != nil && r.Method != http.MethodPost:
		return nil, errors.NewNotFound(resource, name)
	case r.Method == http.MethodGet:
		return &old, nil
	case err == nil && r.Method == http.MethodPost:
		return nil, errors.NewAlreadyExists(resource, name)
	}
	if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
		return nil, errors.NewBadRequest(err.Error())
	}
	if wanted.ResourceVersion != old.ResourceVersion && s.mistake != "compares-nothing" {
		return nil, errors.NewConflict(resource, name, fmt.Errorf("the object has been modified"))
	}
	if wanted.Spec.LeaseDurationSeconds == nil || *wanted.Spec.LeaseDurationSeconds <= 0 {
		return nil, errors.NewInvalid(coordination.SchemeGroupVersion.WithKind("Lease").GroupKind(), name, nil)
	}
	if equality.Semantic.DeepEqual(wanted.Spec, old.Spec) {
		return &old, nil // nothing is written, and the version stays
	}
	version, _ := strconv.Atoi(old.ResourceVersion)
	wanted.ResourceVersion = strconv.Itoa(version + 1)
	if text, err = json.Marshal(wanted); err == nil {
		err = s.keep(text)
	}
	if err != nil {
		return nil, errors.NewInternalError(err)
	}
	sim.Note(fmt.Sprintf("writes %s %d %s", r.UserAgent(), *wanted.Spec.LeaseDurationSeconds, *wanted.Spec.HolderIdentity))
	return &wanted, nil
}

// keep replaces the file. A crash leaves the old file or the new one.
func (s *store) keep(text []byte) error {
	f, err := os.Create(file + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if s.mistake == "no-sync" {
		return os.Rename(f.Name(), file)
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
