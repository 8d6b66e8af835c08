package suzukikasami

import "contend/impl/mutex"

// costed are the numbers that the text gives, "N messages in all or 0", and those by which locks
// are compared.
var costed = mutex.TokenCosts(source, mutex.TokenBehalf[Request, Token])
