package suitesim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	ended   chan struct{}
	once    sync.Once
}

// Start starts a simulator in memory on a free port, and stops it when Stop is called. Its command is SUITE_SIM_COMMAND
// (such as "node dist/main.js"), suite-sim of the PATH, or npx suite-sim; arguments are flags such as "--seed", "ci".
func Start(ctx context.Context, arguments ...string) (*Process, error) {
	words, err := commandWords()
	if err != nil {
		return nil, err
	}
	words = append(words, "serve", "--db", ":memory:", "--port", "0")
	command := exec.Command(words[0], append(words[1:], arguments...)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("suitesim: %s could not be started: %w", strings.Join(words, " "), err)
	}
	process := &Process{command: command, ended: make(chan struct{})}
	urls := make(chan string, 1)
	go func() {
		defer close(process.ended)
		lines := bufio.NewScanner(output)
		// A line of the log is longer than the default limit if it has a stack trace.
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
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
		_ = command.Wait()
	}()
	select {
	case url := <-urls:
		process.Simulator, err = Connect(ctx, url)
		if err != nil {
			_ = process.Stop()
			return nil, err
		}
		return process, nil
	case <-process.ended:
		return nil, fmt.Errorf("suitesim: %s ended: %s", strings.Join(words, " "), strings.TrimSpace(stderr.String()))
	case <-ctx.Done():
		_ = process.Stop()
		return nil, ctx.Err()
	}
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
const stopTimeout = 10 * time.Second

// Stop ends the process.
func (process *Process) Stop() error {
	process.once.Do(func() {
		_ = process.command.Process.Signal(os.Interrupt)
		select {
		case <-process.ended:
		case <-time.After(stopTimeout):
			_ = process.command.Process.Kill()
			<-process.ended
		}
	})
	return nil
}
