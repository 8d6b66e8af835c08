// V35 checks old releases of etcd. See the README above.
package main

import (
	"contend/checker/verify"
	"contend/examples/etcd/group"
	"contend/model"
)

func main() {
	group.Program = "contend/examples/etcd/v35/etcdd"
	verify.Main([]*model.Protocol{group.Protocol, group.Locks})
}
