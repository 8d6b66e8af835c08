package multicast

import "contend/model"

// Sized returns a configuration with numbers of processes, of senders, and of messages of each sender.
func Sized(n, senders, messages int) model.Config {
	return model.Config{N: n}.With(Senders.Is(senders), Messages.Is(messages))
}
