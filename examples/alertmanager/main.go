// Alertmanager checks what the replicas of Prometheus Alertmanager share: see the README beside.
package main

import (
	"contend/checker/verify"
	"contend/examples/alertmanager/notifications"
	"contend/model"
)

func main() { verify.Main([]*model.Protocol{notifications.Protocol}) }
