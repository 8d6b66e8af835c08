package inert

import (
	"net"
	_ "unsafe" // for go:linkname

	"github.com/hashicorp/go-metrics"
	"github.com/hashicorp/memberlist"
)

// The library's unexported functions that the search calls or that build a list. The linker binds
// each name to the library's own code; layout_test.go compares the types.

//go:linkname setAlive github.com/hashicorp/memberlist.(*Memberlist).setAlive
func setAlive(m *memberlist.Memberlist) error

//go:linkname handleAlive github.com/hashicorp/memberlist.(*Memberlist).handleAlive
func handleAlive(m *memberlist.Memberlist, buf []byte, from net.Addr)

//go:linkname handleSuspect github.com/hashicorp/memberlist.(*Memberlist).handleSuspect
func handleSuspect(m *memberlist.Memberlist, buf []byte, from net.Addr)

//go:linkname handleDead github.com/hashicorp/memberlist.(*Memberlist).handleDead
func handleDead(m *memberlist.Memberlist, buf []byte, from net.Addr)

//go:linkname handleConn github.com/hashicorp/memberlist.(*Memberlist).handleConn
func handleConn(m *memberlist.Memberlist, conn net.Conn)

//go:linkname pushPullNode github.com/hashicorp/memberlist.(*Memberlist).pushPullNode
func pushPullNode(m *memberlist.Memberlist, a memberlist.Address, join bool) error

//go:linkname suspectNode github.com/hashicorp/memberlist.(*Memberlist).suspectNode
func suspectNode(m *memberlist.Memberlist, s *Suspect)

//go:linkname deadNode github.com/hashicorp/memberlist.(*Memberlist).deadNode
func deadNode(m *memberlist.Memberlist, d *Dead)

//go:linkname gossip github.com/hashicorp/memberlist.(*Memberlist).gossip
func gossip(m *memberlist.Memberlist)

//go:linkname resetNodes github.com/hashicorp/memberlist.(*Memberlist).resetNodes
func resetNodes(m *memberlist.Memberlist)

//go:linkname estNumNodes github.com/hashicorp/memberlist.(*Memberlist).estNumNodes
func estNumNodes(m *memberlist.Memberlist) int

//go:linkname newAwareness github.com/hashicorp/memberlist.newAwareness
func newAwareness(most int, labels []metrics.Label) *awareness

//go:linkname decode github.com/hashicorp/memberlist.decode
func decode(buf []byte, out any) error

//go:linkname decodeCompoundMessage github.com/hashicorp/memberlist.decodeCompoundMessage
func decodeCompoundMessage(buf []byte) (truncated int, parts [][]byte, err error)
