// Package maekawa is Maekawa's voting algorithm, A √N Algorithm for Mutual Exclusion in
// Decentralized Systems, ACM TOCS 3(2), 1985, as the SDX lecture Coordination and Agreement (UPC)
// states it.
package maekawa
