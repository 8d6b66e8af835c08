/* Ricart-Agrawala, three processes, K entries each: impl/ricartagrawala, untimed.
 *
 * One process of one control location: every event is one d_step of its loop, so the
 * stored states are the states of the protocol and no others.
 *
 * A message needs no queue. Between two processes i and j there is at most one thing
 * at a time that is about i's request: the request on its way, j's memory that it
 * deferred it, or the OK on its way back. The time that the request carries is that
 * of i's request, which lasts until it leaves. ask(i, j) says which, in two bits; an
 * OK that was taken leaves it NONE, so it counts the replies, too.
 */

#ifndef K
#define K 6
#endif

/* phases of a process: each but WAITING has one pending event of its own */
#define IDLE 0     /* the next invocation, while entries are left */
#define WAITING 1  /* none: it waits for OKs */
#define GRANTED 2  /* the return of its invocation */
#define INSIDE 3   /* the release */

/* where i's request to j is; an odd one is on its way */
#define NONE 0
#define REQUEST 1
#define DEFERRED 2
#define REPLY 3

#define PROCESS(i) \
	unsigned clock##i : 5; \
	unsigned request##i : 5; \
	unsigned phase##i : 2; \
	unsigned left##i : 4 = K

PROCESS(1);
unsigned ask12 : 2;
unsigned ask13 : 2;
unsigned ask21 : 2;
unsigned ask23 : 2;
unsigned ask31 : 2;
unsigned ask32 : 2;
PROCESS(2);
PROCESS(3);

/* The next event of i itself; j and k are the others. */
#define OWN(i, j, k) \
	:: d_step { \
		phase##i != WAITING && (phase##i != IDLE || left##i > 0) -> \
		if \
		:: phase##i == IDLE -> \
			left##i--; \
			clock##i++; \
			request##i = clock##i; \
			phase##i = WAITING; \
			ask##i##j = REQUEST; \
			ask##i##k = REQUEST \
		:: phase##i == GRANTED -> \
			assert(phase##j != INSIDE && phase##k != INSIDE); \
			phase##i = INSIDE \
		:: phase##i == INSIDE -> \
			request##i = 0; \
			phase##i = IDLE; \
			if \
			:: ask##j##i == DEFERRED -> ask##j##i = REPLY \
			:: else \
			fi; \
			if \
			:: ask##k##i == DEFERRED -> ask##k##i = REPLY \
			:: else \
			fi \
		fi \
	}

/* What is on its way about i's request to j arrives; k is the other. first says
 * whether j's request would go before i's of the same time: j < i.
 */
#define ARRIVES(i, j, k, first) \
	:: d_step { \
		(ask##i##j & 1) -> \
		if \
		:: ask##i##j == REQUEST -> \
			if \
			:: clock##j < request##i -> clock##j = request##i \
			:: else \
			fi; \
			if \
			:: request##j != 0 && request##j < request##i + first -> ask##i##j = DEFERRED \
			:: else -> ask##i##j = REPLY \
			fi \
		:: else -> \
			ask##i##j = NONE; \
			if \
			:: ask##i##k == NONE -> phase##i = GRANTED \
			:: else \
			fi \
		fi \
	}

active proctype world()
{
end:	do
	OWN(1, 2, 3)
	OWN(2, 1, 3)
	OWN(3, 1, 2)
	ARRIVES(1, 2, 3, 0)
	ARRIVES(1, 3, 2, 0)
	ARRIVES(2, 1, 3, 1)
	ARRIVES(2, 3, 1, 0)
	ARRIVES(3, 1, 2, 1)
	ARRIVES(3, 2, 1, 1)
	od
}
