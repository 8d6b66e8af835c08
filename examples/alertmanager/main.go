// Alertmanager checks the state that replicas of Prometheus Alertmanager share. See the README in this
// directory.
package main

import (
	"contend/checker/verify"
	"contend/examples/alertmanager/notifications"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{notifications.Protocol}) }
