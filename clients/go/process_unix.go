//go:build unix

package suitesim

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// startInGroup makes the command the leader of a process group, so that its children get its signals.
func startInGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func terminateGroup(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGTERM)
}

func killGroup(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
}

// forwardSignals ends the group when a signal ends this program: a terminal sends Ctrl+C to the group of this program only.
// The function that it returns ends the forwarding.
func forwardSignals(command *exec.Cmd) func() {
	signals := make(chan os.Signal, 1)
	for _, each := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(each) {
			signal.Notify(signals, each)
		}
	}
	done := make(chan struct{})
	go func() {
		select {
		case received := <-signals:
			terminateGroup(command)
			signal.Stop(signals)
			// Without a handler of its own, the program ends as if this one did not exist.
			_ = syscall.Kill(os.Getpid(), received.(syscall.Signal))
		case <-done:
			signal.Stop(signals)
		}
	}()
	return func() { close(done) }
}
