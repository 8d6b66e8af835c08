// Election checks the leader election of k8s.io/client-go: whole candidates, and a store of the lease. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/election/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Protocol}) }
