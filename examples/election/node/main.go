// Node is a candidate in an election of k8s.io/client-go, or the store of the lease.
//
//	node [flags] store
//	node [flags] candidate
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

// options are the flags.
type options struct {
	lease, deadline, retry time.Duration
	release                bool
	mistake                string
}

func main() {
	var o options
	flag.DurationVar(&o.lease, "lease", 15*time.Second, "LeaseDuration")
	flag.DurationVar(&o.deadline, "deadline", 10*time.Second, "RenewDeadline")
	flag.DurationVar(&o.retry, "retry", 2*time.Second, "RetryPeriod")
	flag.BoolVar(&o.release, "release", false, "ReleaseOnCancel")
	flag.StringVar(&o.mistake, "mistake", "", "make this mistake")
	flag.Parse()
	run := candidate
	if flag.Arg(0) == "store" {
		run = serve
	}
	fmt.Fprintln(os.Stderr, run(o))
	os.Exit(1)
}
