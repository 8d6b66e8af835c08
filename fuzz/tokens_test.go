package fuzz

import (
	"testing"

	"contend/checker"
	"contend/checker/sample"
	"contend/impl/mutex"
	"contend/impl/naimithiare"
	"contend/impl/suzukikasami"
	"contend/model"
)

// The locks by one token and broadcast requests.
var (
	naimiThiareTarget  = checker.Target{Protocol: naimithiare.Protocol, Configure: configureTokens}
	suzukiKasamiTarget = checker.Target{Protocol: suzukikasami.Protocol, Configure: configureTokens}
)

// FuzzNaimiThiare runs Naimi and Thiare's algorithm by bytes.
func FuzzNaimiThiare(f *testing.F) { naimiThiareTarget.Fuzz(f) }

// FuzzSuzukiKasami runs Suzuki and Kasami's algorithm by bytes.
func FuzzSuzukiKasami(f *testing.F) { suzukiKasamiTarget.Fuzz(f) }

// configureTokens takes six bytes. There is no duplication: with two tokens nothing is
// exclusive. A claim whose assumptions the faults do not meet is not watched in that run.
func configureTokens(c sample.Choices) model.Check {
	config := model.Config{N: 2 + c.Choose(3)}.With(
		model.Ops.Is(1+c.Choose(3)),
		model.Delay.Is(1+model.Ticks(c.Choose(2))),
		mutex.Section.Is(1+model.Ticks(c.Choose(2))),
	)
	config.Faults = model.Faults{Crashes: max(0, c.Choose(6)-4), Loss: max(0, c.Choose(6)-4)}
	return model.Check{Config: config}
}
