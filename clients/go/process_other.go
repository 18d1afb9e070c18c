//go:build !unix

package suitesim

import (
	"os/exec"
	"strconv"
)

// Systems without process groups, such as Windows. There a console sends Ctrl+C to all its processes.

func startInGroup(*exec.Cmd) {}

func terminateGroup(command *exec.Cmd) { killGroup(command) }

// killGroup kills the command, and on Windows the processes that it started.
func killGroup(command *exec.Cmd) {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(command.Process.Pid)).Run()
	_ = command.Process.Kill()
}

func forwardSignals(*exec.Cmd) func() { return func() {} }
