// Package impl lists the protocols that come with the tool.
package impl

import (
	"contend/impl/backoff"
	"contend/impl/naimithiare"
	"contend/impl/ordering"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/impl/suzukikasami"
	"contend/model"
)

// Suite is the one list. A protocol added here is known to every explorer, fuzz
// target and verb.
var Suite = []*model.Protocol{
	backoff.Protocol,
	naimithiare.Protocol,
	ordering.Protocol,
	quorumlock.Protocol,
	ricartagrawala.Protocol,
	suzukikasami.Protocol,
}
