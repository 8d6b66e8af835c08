package main

import "syscall"

const userTimeout = 0x12 // TCP_USER_TIMEOUT

func control(fd uintptr) {
	check(syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout, 1000))
}
