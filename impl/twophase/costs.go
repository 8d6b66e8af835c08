package twophase

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the messages of a transaction: Prepared and Commit of each resource manager.
var costed = []*model.Cost{messages()}

func messages() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages of a transaction", source+"§3"
	return c
}
