// Memberlist checks which members of a group are considered alive. It runs the code of HashiCorp's
// memberlist, both below its goroutines and as a whole. See the README in this directory.
package main

import (
	"contend/checker/verify"
	"contend/examples/memberlist/group"
	"contend/examples/memberlist/membership"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{membership.Protocol, group.Protocol}) }
