package program_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/repeat"
	"contend/model"
)

// Two processes come to the same observations in all schedules, with crashes, and in as many steps.
func TestTwoProcesses(t *testing.T) {
	s, err := locks("nosync").System("", model.Config{Faults: model.Faults{Restarts: 2}})
	require.NoError(t, err)
	repeat.Test(t, s, few(200))
}
