package threephase

import (
	"contend/model"
	"contend/model/costs"
)

// costed are the messages of a transaction, without a crash and with one crash.
var costed = []*model.Cost{messages("messages of a transaction", 0), messages("messages with a crash", 1)}

func messages(name string, crashes int) *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = name, commitment
	c.Check.Config = sized(3, model.Faults{Crashes: crashes})
	return c
}
