package notifications_test

import (
	"testing"

	"contend/checker"
	"contend/examples/alertmanager/notifications"
)

func Test(t *testing.T) { checker.Test(t, notifications.Protocol) }

func FuzzNotificationLog(f *testing.F) {
	checker.Target{Protocol: notifications.Protocol}.Fuzz(f)
}
