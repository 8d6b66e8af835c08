package suzukikasami

import (
	"contend/impl/mutex"
	"contend/model"
)

// options are different readings of the text, and harmless edits that look like bugs. None claims happened-before
// order, because it has the finding of the protocol as printed.
var options = unordered(
	model.Variant{
		Name: "queue-rebuilt", Title: "reading: the token carries no queue, \"TOKEN (LN)\"; each holder makes a queue from RN and LN",
		Edit: page.Edit(`Token{p.LN, rest}`, `Token{p.LN, rest[:0]}`),
		Show: model.Check{Config: model.Config{N: 3}, Claims: safety},
	},
	model.Variant{
		Name: "queue-as-printed", Title: "reading: the queue is kept, and every P_j with RN[j] = LN[j]+1 is appended, even twice",
		Edit:      page.Edit(`Token{p.LN, rest}`, `Token{p.LN, nil}`, `false, nil, nil`, `false, nil, rest`, ` && !slices.Contains(p.Queue, j)`, ``),
		Unclaimed: []string{"every request is granted", "bounded overtaking"}, // as the finding has it, and worse
		Show:      model.Check{Config: mutex.Of(2, 4), Claims: safety},
	},
	model.Variant{
		Name: "queued-on-exit", Title: "reading: a process in its section queues nobody before it leaves, as in the list of steps",
		Edit: page.Edit(`if p.Holds { p.queue(from)`, `if p.Holds && !p.Inside { p.queue(from)`),
	},
	model.Variant{
		Name: "from-the-next", Title: "on leaving, P_i queues those after itself first: the text gives no order",
		Edit: page.Edit(`range p.cfg.Processes {`, `range slices.Concat(p.cfg.Processes[env.Self()+1:], p.cfg.Processes[:env.Self()+1]) {`),
	},
	model.Variant{
		Name: "asks-at-least", Title: "P_j waits if RN[j] ≥ LN[j]+1",
		Edit: page.Edit(`p.RN[j] == p.LN[j]+1`, `p.RN[j] >= p.LN[j]+1`),
	},
	model.Variant{
		Name: "free-entries-count", Title: "an entry that needs no message has a sequence number too",
		Edit: page.Edit(`if p.Holds { p.enter(env)`, `if p.Holds { p.RN[env.Self()]++; p.enter(env)`),
	},
	model.Variant{
		Name: "token-teaches", Title: "a process that gets the token raises RN to LN: it has then missed no granted request",
		Edit: page.Edit(`case Token:`, `case Token: for j, granted := range m.LN { p.RN[j] = max(p.RN[j], granted) };`),
	},
)

func unordered(variants ...model.Variant) []model.Variant {
	for i := range variants {
		variants[i].Unclaimed = append(variants[i].Unclaimed, "happened-before order")
	}
	return variants
}
