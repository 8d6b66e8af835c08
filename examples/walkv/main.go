// Walkv checks a small key–value server with its disk: an HTTP server over the log of tidwall/wal, whole. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/walkv/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Protocol}) }
