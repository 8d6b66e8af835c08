// Package impl lists the protocols that come with the tool.
package impl

import (
	"contend/impl/backoff"
	"contend/impl/centralized"
	"contend/impl/maekawa"
	"contend/impl/ordering"
	"contend/impl/quorumlock"
	"contend/impl/ricartagrawala"
	"contend/impl/sigma"
	"contend/impl/tokenring"
	"contend/model"
)

// Suite is the one list. A protocol added here is known to every explorer, fuzz
// target and verb.
var Suite = []*model.Protocol{
	backoff.Protocol,
	maekawa.Protocol,
	centralized.Protocol,
	ordering.Protocol,
	quorumlock.Protocol,
	ricartagrawala.Protocol,
	sigma.Protocol,
	tokenring.Protocol,
}
