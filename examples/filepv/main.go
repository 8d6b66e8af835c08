// Filepv checks what a CometBFT validator keeps on its disk, on a disk that crashes tear. See the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/filepv/group"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{group.Filepv, group.Wal}) }
