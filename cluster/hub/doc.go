// Package hub is where processes meet: a NATS server with JetStream, in this process on a directory
// ([Start]) or anywhere by an address ([Access.Connect]), and what is kept on it.
//
// A queue, a store that survives the death of its server and its writers, and numbers of revisions are
// JetStream's; nothing of them is written here. What this package adds is who may connect and from where,
// bounds on what is stored, errors that name what the user can change, and the identity of a program's build.
//
//	s, err := hub.Start(hub.Options{Dir: "contend-campaigns"})   // a server on loopback, with a key of its own
//	h, err := s.Access().Connect(ctx, "worker 3")               // a client in any process on this machine
//	bucket, err := h.Bucket(ctx, hub.Kept{Name: "results"})       // a key–value store: Create is compare-and-set
//
// Loopback is what there is unless an address beyond it is given; beyond loopback TLS and credentials are
// required, of the server ([Options]) and of its clients ([Access]). A server that this package starts asks for
// its key on loopback, too: another user of the machine cannot write there.
package hub
