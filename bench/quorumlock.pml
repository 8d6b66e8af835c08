/* The quorum lock: 2 clients, 4 honest servers and a Byzantine one, a quorum of Q.
 *
 * One process of one control location: every event is one d_step of its loop, so the
 * stored states are the states of the protocol and no others.
 *
 * slot(c, s) is what is on its way between client c and server s, one thing at a
 * time: the try of c, or the answer to it. An answer that was taken leaves NONE; the
 * client counts answers, and need not remember whose: no server answers it twice.
 */

#ifndef Q
#define Q 5
#endif

/* phases of a client */
#define UNSTARTED 0
#define WAITING 1
#define SUCCEEDED 2
#define FAILED 3

/* what a slot holds */
#define NONE 0
#define TRY 1
#define FREE 2
#define LOCKED 3

/* what the Byzantine server has done to a client; FREE and LOCKED: it is on its way */
#define SILENT 0
#define TAKEN 1

/* free and locked are the answers of a client that waits, else 0 */
#define CLIENT(c) \
	unsigned phase##c : 2; \
	unsigned slot##c##1 : 2; \
	unsigned slot##c##2 : 2; \
	unsigned slot##c##3 : 2; \
	unsigned slot##c##4 : 2; \
	unsigned liar##c : 2; \
	unsigned free##c : 3; \
	bit locked##c

CLIENT(1);
CLIENT(2);

/* whom a server holds: nobody, 0, or client 1 or 2 */
unsigned holder1 : 2;
unsigned holder2 : 2;
unsigned holder3 : 2;
unsigned holder4 : 2;

/* The client c starts. */
#define STARTS(c) \
	:: d_step { \
		phase##c == UNSTARTED -> \
		phase##c = WAITING; \
		slot##c##1 = TRY; \
		slot##c##2 = TRY; \
		slot##c##3 = TRY; \
		slot##c##4 = TRY \
	}

/* The client c, and d is the other, takes an answer that says no more than FREE or LOCKED. */
#define TAKES(c, d, answer) \
	if \
	:: phase##c == WAITING -> \
		if \
		:: answer == FREE -> \
			free##c++ \
		:: else -> \
			if \
			:: locked##c -> phase##c = FAILED \
			:: else -> locked##c = 1 \
			fi \
		fi; \
		if \
		:: phase##c == WAITING && free##c + locked##c == Q -> \
			phase##c = SUCCEEDED; \
			assert(phase##d != SUCCEEDED) \
		:: else \
		fi; \
		if \
		:: phase##c != WAITING -> \
			free##c = 0; \
			locked##c = 0 \
		:: else \
		fi \
	:: else \
	fi

/* What is on its way between client c and the honest server s arrives. */
#define HONEST(c, d, s) \
	:: d_step { \
		slot##c##s != NONE -> \
		if \
		:: slot##c##s == TRY -> \
			if \
			:: holder##s == 0 -> \
				holder##s = c; \
				slot##c##s = FREE \
			:: else -> \
				slot##c##s = LOCKED \
			fi \
		:: else -> \
			TAKES(c, d, slot##c##s); \
			slot##c##s = NONE \
		fi \
	}

/* The Byzantine server sends one message to c, or none; c takes it when it has started. */
#define LIAR(c, d) \
	:: d_step { liar##c == SILENT -> liar##c = FREE } \
	:: d_step { liar##c == SILENT -> liar##c = LOCKED } \
	:: d_step { \
		liar##c >= FREE && phase##c != UNSTARTED -> \
		TAKES(c, d, liar##c); \
		liar##c = TAKEN \
	}

active proctype world()
{
end:	do
	STARTS(1)
	STARTS(2)
	HONEST(1, 2, 1)
	HONEST(1, 2, 2)
	HONEST(1, 2, 3)
	HONEST(1, 2, 4)
	HONEST(2, 1, 1)
	HONEST(2, 1, 2)
	HONEST(2, 1, 3)
	HONEST(2, 1, 4)
	LIAR(1, 2)
	LIAR(2, 1)
	od
}
