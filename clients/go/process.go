package suitesim

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Process is a simulator that this program started.
type Process struct {
	*Simulator

	command *exec.Cmd
	output  *os.File
	lines   lastLines
	// exited is closed when the command has ended, outputEnded when the processes that it started have ended too.
	exited, outputEnded chan struct{}
	once                sync.Once
}

// Start starts a simulator in memory on a free port. Stop ends it, and so do the signals that end this program; a handler
// of its own receives such a signal twice. The command is SUITE_SIM_COMMAND (such as "node dist/main.js"), suite-sim of the
// PATH, or npx suite-sim of an installed package. Arguments are flags such as "--seed", "ci".
func Start(ctx context.Context, arguments ...string) (*Process, error) {
	words, err := commandWords()
	if err != nil {
		return nil, err
	}
	words = append(words, "serve", "--db", ":memory:", "--port", "0")
	command := exec.Command(words[0], append(words[1:], arguments...)...)
	// On the network, or with a public URL, the server would require a token of its own. The line with the URL has the
	// level info.
	command.Env = append(os.Environ(), "HOST=127.0.0.1", "SIM_PUBLIC_URL=", "LOG_LEVEL=info")
	startInGroup(command)
	output, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	command.Stdout, command.Stderr = input, input
	err = command.Start()
	_ = input.Close()
	if err != nil {
		_ = output.Close()
		return nil, fmt.Errorf("suitesim: %s could not be started: %w", strings.Join(words, " "), err)
	}
	process := &Process{command: command, output: output, exited: make(chan struct{}), outputEnded: make(chan struct{})}
	stopForwarding := forwardSignals(command)
	go func() {
		defer close(process.exited)
		_ = command.Wait()
	}()
	urls := make(chan string, 1)
	go func() {
		defer close(process.outputEnded)
		defer stopForwarding()
		process.read(urls)
	}()
	select {
	case url := <-urls:
		process.Simulator, err = Connect(ctx, url)
		if err != nil {
			_ = process.Stop()
			return nil, err
		}
		return process, nil
	case <-process.outputEnded:
		_ = process.Stop()
		return nil, fmt.Errorf("suitesim: %s ended: %s", strings.Join(words, " "), process.lines.text())
	case <-ctx.Done():
		_ = process.Stop()
		return nil, fmt.Errorf("suitesim: %s did not write its URL: %w: %s", strings.Join(words, " "), ctx.Err(), process.lines.text())
	}
}

// read reads the output until it ends, because a full pipe would block the server.
func (process *Process) read(urls chan<- string) {
	lines := bufio.NewScanner(process.output)
	// A line of the log is longer than the default limit if it has a stack trace.
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		process.lines.add(lines.Text())
		// The first line of a server whose output is a pipe.
		var first struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(lines.Bytes(), &first) == nil && first.URL != "" {
			select {
			case urls <- first.URL:
			default:
			}
		}
	}
	_, _ = io.Copy(io.Discard, process.output)
}

// lastLines has the last lines of an output, for error messages.
type lastLines struct {
	mutex sync.Mutex
	lines []string
}

const (
	maxLines      = 30
	maxLineLength = 500
)

func (last *lastLines) add(line string) {
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if len(line) > maxLineLength {
		line = line[:maxLineLength]
	}
	last.lines = append(last.lines, line)
	if len(last.lines) > maxLines {
		last.lines = last.lines[1:]
	}
}

func (last *lastLines) text() string {
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if len(last.lines) == 0 {
		return "(no output)"
	}
	return strings.TrimSpace(strings.Join(last.lines, "\n"))
}

func commandWords() ([]string, error) {
	if words := strings.Fields(os.Getenv("SUITE_SIM_COMMAND")); len(words) > 0 {
		return words, nil
	}
	if path, err := exec.LookPath("suite-sim"); err == nil {
		return []string{path}, nil
	}
	if path, err := exec.LookPath("npx"); err == nil {
		return []string{path, "--offline", "--no-install", "suite-sim"}, nil
	}
	return nil, errors.New("suitesim: no simulator found: set SUITE_SIM_URL to a running one, or SUITE_SIM_COMMAND to its command, or install suite-sim")
}

// stopTimeout is the time that the server has to stop before it is killed.
var stopTimeout = 10 * time.Second

// Stop ends the process and the processes that it started: npx starts the server as a child.
func (process *Process) Stop() error {
	process.once.Do(func() {
		if !hasClosed(process.outputEnded) || !hasClosed(process.exited) {
			terminateGroup(process.command)
		}
		timeout := time.After(stopTimeout)
		for _, end := range []chan struct{}{process.outputEnded, process.exited} {
			select {
			case <-end:
			case <-timeout:
				killGroup(process.command)
			}
		}
		<-process.exited
		// A process that left the group may still hold the other end.
		_ = process.output.Close()
		<-process.outputEnded
	})
	return nil
}

func hasClosed(channel <-chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}
