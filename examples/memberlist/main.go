// Memberlist checks who the members of a group take for alive, by the code of HashiCorp's memberlist, below its goroutines and
// whole: see the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/memberlist/group"
	"contend/examples/memberlist/membership"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{membership.Protocol, group.Protocol}) }
