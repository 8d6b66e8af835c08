package centralized

import (
	"slices"

	"contend/model"
	"contend/model/variant"
)

// resend is the alarm at which the coordinator sends the OK of a grant once more, in case it was lost.
type resend struct {
	Grant int
	To    model.NodeID
}

// A resendingCoordinator sends an OK again until its client has left. It cancels no alarm: it remembers the grants that have ended,
// and ignores their alarms.
type resendingCoordinator struct {
	RecognisingCoordinator
	Grants int   // so far
	Ended  []int // grants, the last ones
	room   int   // for so many of them
}

// resends lets the coordinator send OKs again, and remember some grants that have ended.
func resends(room int) func(*model.System) {
	return variant.All(
		recognise(exact, exact, exact),
		variant.Channel(model.FIFO), // no request overtakes the Release before it
		variant.Types(resend{}),
		variant.Nodes(func(c RecognisingCoordinator) model.Node {
			return &resendingCoordinator{RecognisingCoordinator: c, room: room}
		}),
	)
}

// Receive notes which grant a Release ends.
func (c *resendingCoordinator) Receive(env model.Env, from model.NodeID, m any) {
	grant, releases := c.Grants, c.Releases[from]
	c.RecognisingCoordinator.Receive(granting{env, c}, from, m)
	if c.Releases[from] > releases {
		c.Ended = append(c.Ended, grant)
		c.Ended = slices.Clone(c.Ended[max(0, len(c.Ended)-c.room):])
	}
}

// granting is the environment of a coordinator that sets an alarm for each grant.
type granting struct {
	model.Env
	c *resendingCoordinator
}

// Send sends an OK, and sets its alarm.
func (e granting) Send(to model.NodeID, m any) {
	e.c.Grants++
	e.Env.After(resend{e.c.Grants, to}, model.Anytime())
	e.Env.Send(to, m)
}

// Timeout sends the OK again.
func (c *resendingCoordinator) Timeout(env model.Env, key any) {
	if r := key.(resend); !slices.Contains(c.Ended, r.Grant) {
		answering{env, &c.RecognisingCoordinator}.Send(r.To, OK{})
	}
}
