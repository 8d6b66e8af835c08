// Hashiraft checks HashiCorp's Raft as it is: whole servers with their goroutines, timers, connections and files. See the README
// beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/hashiraft/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Protocol}) }
