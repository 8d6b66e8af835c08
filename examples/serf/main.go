// Serf checks clusters of HashiCorp's Serf: whole nodes with their snapshot files. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/serf/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Protocol}) }
