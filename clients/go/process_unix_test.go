//go:build unix

package suitesim_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"suitesimulator.dev/suitesim"
)

// useScript makes a shell script the command that starts a simulator.
func useScript(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "suite-sim")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SUITE_SIM_COMMAND", path)
}

// wrapper returns a script whose server is a child, as that of npx is.
func wrapper() string {
	command := os.Getenv("SUITE_SIM_COMMAND")
	if command == "" {
		command = "suite-sim"
	}
	return command + " \"$@\"\nexit $?\n"
}

func start(t *testing.T) *suitesim.Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	process, err := suitesim.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Stop() })
	return process
}

func expectGone(t *testing.T, url string) {
	t.Helper()
	if _, err := suitesim.Connect(context.Background(), url); !suitesim.HasCode(err, suitesim.CodeUnreachable) {
		t.Errorf("the server at %s still responds: %v", url, err)
	}
}

func TestStopEndsTheChildrenOfTheCommand(t *testing.T) {
	useScript(t, wrapper())
	process := start(t)
	if err := process.Stop(); err != nil {
		t.Fatal(err)
	}
	expectGone(t, process.URL)
	if err := process.Stop(); err != nil {
		t.Error(err)
	}
}

func TestStartsWithVariablesOfAnotherServer(t *testing.T) {
	t.Setenv("HOST", "0.0.0.0")
	t.Setenv("SIM_PUBLIC_URL", "https://simulator.example")
	t.Setenv("LOG_LEVEL", "error")
	process := start(t)
	if !strings.HasPrefix(process.URL, "http://127.0.0.1:") {
		t.Errorf("got %s", process.URL)
	}
}

// startUntilCanceled starts a script that writes to the fifo "ready" of its folder, and cancels the start then.
func startUntilCanceled(t *testing.T, script string) error {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	if err := syscall.Mkfifo(ready, 0o600); err != nil {
		t.Fatal(err)
	}
	useScript(t, strings.ReplaceAll(script, "READY", ready))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		_, _ = os.ReadFile(ready)
	}()
	_, err := suitesim.Start(ctx)
	return err
}

func TestShowsTheOutputOfACanceledStart(t *testing.T) {
	err := startUntilCanceled(t, "echo 'waiting for a lock' >&2\necho >READY\nexec tail -f /dev/null\n")
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "waiting for a lock") {
		t.Errorf("got %v", err)
	}
}

func TestStopKillsWhatIgnoresTheSignal(t *testing.T) {
	defer suitesim.SetStopTimeout(100 * time.Millisecond)()
	err := startUntilCanceled(t, "trap '' TERM\necho >READY\ntail -f /dev/null\nexit $?\n")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestServesUntilASignal is the program of TestASignalEndsTheServer.
func TestServesUntilASignal(t *testing.T) {
	if os.Getenv("SERVE_UNTIL_A_SIGNAL") == "" {
		return
	}
	fmt.Println("URL", start(t).URL)
	select {}
}

func TestASignalEndsTheServer(t *testing.T) {
	useScript(t, wrapper())
	program := exec.Command(os.Args[0], "-test.run=^TestServesUntilASignal$")
	program.Env = append(os.Environ(), "SERVE_UNTIL_A_SIGNAL=1")
	output, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill() })
	lines := bufio.NewReader(output)
	var url string
	for !strings.HasPrefix(url, "URL ") {
		if url, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := program.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, lines)
	var ended *exec.ExitError
	if err := program.Wait(); !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
		t.Errorf("got %v", err)
	}
	url = strings.TrimSpace(strings.TrimPrefix(url, "URL "))
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		if _, err := suitesim.Connect(context.Background(), url); suitesim.HasCode(err, suitesim.CodeUnreachable) {
			return
		}
	}
	expectGone(t, url)
}
