package paxos

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the messages of a decision without a rival leader.
var costed = []*model.Cost{messages()}

func messages() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages of a ballot", "Paxos Made Simple, §2.2, §2.3"
	c.Check.Config = sized(3, 1, 1)
	return c
}
