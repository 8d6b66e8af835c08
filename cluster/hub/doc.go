// Package hub connects processes through a NATS server with JetStream, and opens stores on it. The server runs in this process with a directory ([Start]), or at an address ([Access.Connect]).
//
// JetStream has queues, durable stores and revisions. This package adds access control, bounds on sizes, errors for users, and the identity of a program's build.
//
//	s, err := hub.Start(hub.Options{Dir: "contend-campaigns"})   // a server on loopback, with a key of its own
//	h, err := s.Access().Connect(ctx, "worker 3")               // a client in any process on this machine
//	bucket, err := h.Bucket(ctx, hub.StoreConfig{Name: "results"}) // a key–value store: Create is compare-and-set
//
// The default is loopback. Beyond loopback TLS and credentials are required, of the server ([Options]) and of
// its clients ([Access]). A server that this package starts requires its key on loopback, too, so that other
// users of the machine have no access.
package hub
