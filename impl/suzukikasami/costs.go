package suzukikasami

import "contend/impl/mutex"

// costed are the numbers of the text, "N messages in all or 0", and the common costs of locks.
var costed = mutex.TokenCosts(source, mutex.TokenBehalf[Request, Token])
