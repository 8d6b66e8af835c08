// Package impl lists the protocols that come with the tool.
package impl

import (
	"contend/impl/abd"
	"contend/impl/backoff"
	"contend/impl/bully"
	"contend/impl/centralized"
	"contend/impl/chandylamport"
	"contend/impl/changroberts"
	"contend/impl/enhancedring"
	"contend/impl/lin"
	"contend/impl/maekawa"
	"contend/impl/multicast/agreed"
	"contend/impl/multicast/basic"
	"contend/impl/multicast/causal"
	"contend/impl/multicast/fifo"
	"contend/impl/multicast/nack"
	"contend/impl/multicast/sequencer"
	"contend/impl/multicast/unordered"
	"contend/impl/multicast/view"
	"contend/impl/multipaxos"
	"contend/impl/naimithiare"
	"contend/impl/ordering"
	"contend/impl/paxos"
	"contend/impl/pbft"
	"contend/impl/quorumlock"
	"contend/impl/raft"
	"contend/impl/ricartagrawala"
	"contend/impl/sigma"
	"contend/impl/suzukikasami"
	"contend/impl/swim"
	"contend/impl/threephase"
	"contend/impl/tokenring"
	"contend/impl/twophase"
	"contend/model"
)

// Suite lists every protocol. A protocol that is added here is known to every explorer, fuzz
// target and verb.
var Suite = []*model.Protocol{
	abd.Protocol,
	backoff.Protocol,
	ordering.Protocol,
	quorumlock.Protocol,
	bully.Protocol,
	centralized.Protocol,
	chandylamport.Protocol,
	changroberts.Protocol,
	enhancedring.Protocol,
	lin.Protocol,
	maekawa.Protocol,
	agreed.Protocol,
	basic.Protocol,
	causal.Protocol,
	fifo.Protocol,
	nack.Protocol,
	sequencer.Protocol,
	unordered.Protocol,
	view.Protocol,
	multipaxos.Protocol,
	naimithiare.Protocol,
	paxos.Protocol,
	pbft.Protocol,
	raft.Protocol,
	ricartagrawala.Protocol,
	sigma.Protocol,
	suzukikasami.Protocol,
	swim.Protocol,
	threephase.Protocol,
	tokenring.Protocol,
	twophase.Protocol,
}
