// Package impl lists the protocols that come with the tool.
package impl

import (
	"contend/impl/backoff"
	"contend/impl/centralized"
	"contend/impl/lin"
	"contend/impl/maekawa"
	"contend/impl/naimithiare"
	"contend/impl/ordering"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/impl/suzukikasami"
	"contend/impl/sigma"
	"contend/impl/tokenring"
	"contend/model"
)

// Suite is the one list. A protocol added here is known to every explorer, fuzz
// target and verb.
var Suite = []*model.Protocol{
	backoff.Protocol,
	lin.Protocol,
	maekawa.Protocol,
	centralized.Protocol,
	naimithiare.Protocol,
	ordering.Protocol,
	quorumlock.Protocol,
	ricartagrawala.Protocol,
	suzukikasami.Protocol,
	sigma.Protocol,
	tokenring.Protocol,
}
