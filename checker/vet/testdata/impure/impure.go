// Package impure has nodes that do what handlers may not do, one in each.
package impure

import "contend/model"

// A Ping asks a node for a Pong.
type Ping struct {
	Names []string
	Table map[string]int
}

// A Pong is an answer.
type Pong struct{ N int }

// Settings are configuration.
type Settings struct{ Limit int }

// Ring is a key of alarms.
type Ring struct{}

func answer(env model.Env, to model.NodeID) { env.Send(to, Pong{}) }
