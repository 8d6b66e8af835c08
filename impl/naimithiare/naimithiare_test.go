package naimithiare_test

import (
	"testing"

	"contend/checker"
	"contend/impl/naimithiare"
)

func Test(t *testing.T) { checker.Test(t, naimithiare.Protocol) }
