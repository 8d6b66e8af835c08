// Hashiraft checks HashiCorp's unmodified Raft: whole servers with their goroutines, timers, connections and
// files. See the README in this directory.
package main

import (
	"contend/checker/verify"
	"contend/examples/hashiraft/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Protocol}) }
