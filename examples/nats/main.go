// Nats checks servers of NATS with JetStream, with their disks. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/nats/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.JetStream, group.Cluster}) }
