// Etcd checks etcd's server as it is, alone and in groups, with its disk. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/etcd/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Protocol, group.Locks}) }
