// Etcdraft checks go.etcd.io/raft/v3. Run etcdraft --help.
package main

import (
	"contend/checker/verify"
	"contend/examples/etcdraft/group"
)

func main() { verify.Main(group.Suite) }
