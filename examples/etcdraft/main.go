// Etcdraft checks go.etcd.io/raft/v3. Run etcdraft --help.
package main

import (
	"contend/checker/verify"
	"contend/examples/etcdraft/group"
	"contend/examples/etcdraft/traced"
)

func main() { verify.Main(append(group.Suite, traced.Protocol, traced.Exact)) }
