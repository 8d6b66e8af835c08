// Package deploy has what campaigns need to run elsewhere: an image, a compose file, and manifests for Kubernetes. Its test
// reads each file as the engine does that runs it. It is a module of its own for the sake of these engines' types.
package deploy
