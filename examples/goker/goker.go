// Package goker contains small kernels of concurrency bugs of real Go programs, each with its repair.
//
// The bugs are from public reports. The suite GoBench/GoKer has most of them (Yuan et al., CGO 2021). The
// kernels are new code: each kernel is a function of some 15 to 45 lines with the bug, or with its repair.
package goker

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// A Kernel is a bug and its repair.
type Kernel struct {
	Name  string // the project and the number of the issue or pull request
	What  string // kind of bug
	Shows string // how the bug shows, as an outcome of package program/concurrent
	Body  func(t testing.TB, fixed bool)
	// Races reports whether the bug is a data race, too. A data race is reported before any other defect.
	Races bool
	// Unseen is the reason why package program/concurrent does not find the bug without race detection. It is
	// empty if the bug is found.
	Unseen string
}

// Found returns the finding of package program/concurrent, with or without race detection. It is empty if
// there is no finding.
func (k Kernel) Found(races bool) string {
	switch {
	case races && k.Races:
		return race
	case k.Unseen != "":
		return ""
	}
	return k.Shows
}

// How bugs show.
const (
	failed   = "failed"    // the body calls t.Error
	deadlock = "deadlock"  // the body does not return, since all wait
	leak     = "leak"      // goroutines wait for ever, though the body has returned
	panics   = "panic"     // a goroutine panics
	race     = "data race" // nothing is seen but two unordered accesses
)

// Kernels are all kernels, by the kind of bug.
var Kernels = []Kernel{
	{Name: "moby17176", What: "return without unlock", Shows: deadlock, Body: moby17176},
	{Name: "moby36114", What: "double lock", Shows: deadlock, Body: moby36114},
	{Name: "etcd5509", What: "return without unlock", Shows: deadlock, Body: etcd5509},
	{Name: "moby4951", What: "lock order", Shows: deadlock, Body: moby4951},
	{Name: "cockroach7504", What: "lock order", Shows: deadlock, Body: cockroach7504},
	{Name: "hugo3251", What: "lock order", Shows: deadlock, Body: hugo3251},
	{Name: "kubernetes62464", What: "read lock taken twice", Shows: deadlock, Body: kubernetes62464},
	{Name: "kubernetes58107", What: "read lock held while waiting", Shows: deadlock, Body: kubernetes58107},

	{Name: "etcd7492", What: "channel and lock", Shows: deadlock, Body: etcd7492},
	{Name: "etcd6873", What: "channel and lock", Shows: deadlock, Body: etcd6873},
	{Name: "kubernetes10182", What: "channel and lock", Shows: deadlock, Body: kubernetes10182},
	{Name: "kubernetes6632", What: "channel, lock and timer", Shows: deadlock, Body: kubernetes6632},
	{Name: "kubernetes1321", What: "channel and lock", Shows: deadlock, Body: kubernetes1321},
	{Name: "moby28462", What: "channel and lock", Shows: deadlock, Body: moby28462},
	{Name: "moby30408", What: "missed signal", Shows: deadlock, Body: moby30408},
	{Name: "moby25384", What: "misuse of WaitGroup", Shows: deadlock, Body: moby25384},
	{Name: "cockroach1462", What: "channel and WaitGroup", Shows: deadlock, Body: cockroach1462},

	{Name: "cockroach24808", What: "channel is full", Shows: deadlock, Body: cockroach24808},
	{Name: "etcd6857", What: "nobody receives any more", Shows: deadlock, Body: etcd6857},
	{Name: "grpc1424", What: "channel is never closed", Shows: deadlock, Body: grpc1424},
	{Name: "syncthing5795", What: "goroutine waits for its own end", Shows: deadlock, Body: syncthing5795},
	{Name: "kubernetes5316", What: "sender left by a time-out", Shows: leak, Body: kubernetes5316},
	{Name: "cockroach18101", What: "sender left by an error", Shows: leak, Body: cockroach18101},
	{Name: "cockroach13197", What: "context is never canceled", Shows: leak, Body: cockroach13197},
	{Name: "kubernetes70277", What: "poller is never stopped", Shows: leak, Body: kubernetes70277,
		Unseen: "the goroutine that is left ticks for ever, as a janitor does on purpose"},

	{Name: "cockroach4407", What: "WaitGroup.Add beside Wait", Shows: failed, Body: cockroach4407},
	{Name: "cockroach35501", What: "captured loop variable", Shows: failed, Races: true, Body: cockroach35501},
	{Name: "etcd4876", What: "atomicity violation", Shows: failed, Races: true, Body: etcd4876},
	{Name: "etcd9446", What: "atomicity violation", Shows: failed, Races: true, Body: etcd9446},
	{Name: "moby18412", What: "order violation", Shows: failed, Races: true, Body: moby18412},
	{Name: "moby24007", What: "double close", Shows: panics, Body: moby24007},
	{Name: "grpc1687", What: "send on a closed channel", Shows: panics, Races: true, Body: grpc1687},
	{Name: "grpc3090", What: "order violation", Shows: panics, Races: true, Body: grpc3090},
	{Name: "serving4908", What: "use after the end", Shows: panics, Body: serving4908},
	{Name: "istio8967", What: "channel set to nil", Shows: leak, Races: true, Body: istio8967},
	{Name: "kubernetes70892", What: "captured variable", Shows: failed, Races: true, Body: kubernetes70892,
		Unseen: "no point lies between the two plain accesses"},
	{Name: "istio8214", What: "plain read beside atomic writes", Shows: race, Races: true, Body: istio8214,
		Unseen: "the accesses are plain, and nothing else goes wrong"},
}

// repositories are where the projects are, on GitHub.
var repositories = map[string]string{
	"cockroach":  "cockroachdb/cockroach",
	"etcd":       "etcd-io/etcd",
	"grpc":       "grpc/grpc-go",
	"hugo":       "gohugoio/hugo",
	"istio":      "istio/istio",
	"kubernetes": "kubernetes/kubernetes",
	"moby":       "moby/moby",
	"serving":    "knative/serving",
	"syncthing":  "syncthing/syncthing",
}

// Link returns a Markdown link to the bug's report or repair.
func (k Kernel) Link() string {
	project := strings.TrimRightFunc(k.Name, unicode.IsDigit)
	number := k.Name[len(project):]
	return fmt.Sprintf("[%s#%s](https://github.com/%s/issues/%s)", project, number, repositories[project], number)
}

// Named returns the kernel with a name, or nil.
func Named(name string) *Kernel {
	for i := range Kernels {
		if Kernels[i].Name == name {
			return &Kernels[i]
		}
	}
	return nil
}
