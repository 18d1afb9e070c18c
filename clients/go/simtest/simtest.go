// Package simtest gives each test its own workspace of a simulator:
//
//	func TestMain(m *testing.M) {
//		os.Exit(simtest.Main(m))
//	}
//
//	func TestTakesAPayment(t *testing.T) {
//		t.Parallel()
//		workspace := simtest.NewWorkspace(t)
//		receiver := simtest.NewReceiver(t)
//		…
//	}
//
// A failed test logs the calls, hints and deliveries of its workspace.
package simtest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"suitesimulator.dev/suitesim"
)

// startTimeout is the time that a simulator has to start, and the calls before and after a test have to end.
const startTimeout = time.Minute

var shared struct {
	mutex     sync.Mutex
	isMain    bool
	arguments []string
	simulator *suitesim.Simulator
	process   *suitesim.Process
}

// Main runs the tests of a package and returns their exit code. If SUITE_SIM_URL is not set, the first test that needs a
// simulator starts one with these flags, and Main stops it.
func Main(m *testing.M, arguments ...string) int {
	shared.mutex.Lock()
	shared.isMain, shared.arguments = true, arguments
	shared.mutex.Unlock()
	code := m.Run()
	shared.mutex.Lock()
	defer shared.mutex.Unlock()
	if shared.process != nil {
		_ = shared.process.Stop()
	}
	return code
}

// Simulator returns the simulator at SUITE_SIM_URL, or the one of this package's tests.
func Simulator(t testing.TB) *suitesim.Simulator {
	t.Helper()
	simulator, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	return simulator
}

func connect() (*suitesim.Simulator, error) {
	shared.mutex.Lock()
	defer shared.mutex.Unlock()
	if shared.simulator != nil {
		return shared.simulator, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	if os.Getenv("SUITE_SIM_URL") != "" {
		simulator, err := suitesim.Connect(ctx, "")
		shared.simulator = simulator
		return simulator, err
	}
	if !shared.isMain {
		return nil, fmt.Errorf("simtest: set SUITE_SIM_URL, or start a simulator: func TestMain(m *testing.M) { os.Exit(simtest.Main(m)) }")
	}
	process, err := suitesim.Start(ctx, shared.arguments...)
	if err != nil {
		return nil, err
	}
	shared.process, shared.simulator = process, process.Simulator
	return shared.simulator, nil
}

// NewWorkspace creates a workspace for a test and deletes it afterwards. It is empty unless options say otherwise.
func NewWorkspace(t testing.TB, options ...suitesim.WorkspaceCreate) *suitesim.WorkspaceClient {
	t.Helper()
	simulator := Simulator(t)
	chosen := suitesim.WorkspaceCreate{Name: t.Name()}
	if len(options) > 0 {
		chosen = options[0]
		if chosen.Name == "" {
			chosen.Name = t.Name()
		}
	}
	if len([]rune(chosen.Name)) > longestName {
		chosen.Name = string([]rune(chosen.Name)[:longestName])
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	workspace, err := simulator.NewWorkspace(ctx, chosen)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		defer cancel()
		if t.Failed() {
			t.Log(Report(ctx, workspace))
		}
		if err := workspace.Delete(ctx); err != nil {
			t.Errorf("simtest: the workspace could not be deleted: %v", err)
		}
	})
	return workspace
}

// longestName is the maximum length of the name of a workspace.
const longestName = 100

// NewReceiver starts a webhook receiver for a test and closes it afterwards.
func NewReceiver(t testing.TB) *suitesim.Receiver {
	t.Helper()
	receiver, err := suitesim.NewReceiver()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = receiver.Close() })
	return receiver
}

// maxLines is the maximum number of lines of each part of a report.
const maxLines = 20

// Report returns the calls, hints and deliveries of a workspace, as lines.
func Report(ctx context.Context, workspace *suitesim.WorkspaceClient) string {
	lines := []string{fmt.Sprintf("Suite Simulator, workspace %s (%s):", workspace.ID(), workspace.Settings.Name)}
	add := func(title string, found []string, err error) {
		if err != nil {
			lines = append(lines, fmt.Sprintf("  %s: not available: %v", title, err))
			return
		}
		if len(found) == 0 {
			lines = append(lines, "  "+title+": none")
			return
		}
		lines = append(lines, "  "+title+":")
		for _, line := range found {
			lines = append(lines, "    "+line)
		}
	}
	calls, err := workspace.Requests(ctx, suitesim.ListRequestsQuery{Limit: maxLines})
	add("Calls", linesOf(reversed(calls), callLine), err)
	hints, err := workspace.Hints(ctx)
	if len(hints) > maxLines {
		hints = hints[:maxLines]
	}
	add("Hints", linesOf(hints, hintLine), err)
	deliveries, err := workspace.Deliveries(ctx, suitesim.ListDeliveriesQuery{Limit: maxLines})
	add("Deliveries", linesOf(reversed(deliveries), deliveryLine), err)
	return strings.Join(lines, "\n")
}

// reversed returns the items oldest first.
func reversed[Item any](items []Item) []Item {
	result := make([]Item, len(items))
	for index, item := range items {
		result[len(items)-1-index] = item
	}
	return result
}

func linesOf[Item any](items []Item, line func(Item) string) []string {
	lines := make([]string, len(items))
	for index, item := range items {
		lines[index] = line(item)
	}
	return lines
}

func callLine(call suitesim.JournalEntry) string {
	line := fmt.Sprintf("%s %s %d", call.Method, call.Path, call.Status)
	if call.Refusal != nil {
		line += " " + call.Refusal.Reason + ": " + call.Refusal.Message
	}
	if call.Fault != "" {
		line += " (injected fault)"
	}
	return line
}

func hintLine(hint suitesim.GroupedHint) string {
	line := hint.Code + ": " + hint.Message
	if hint.Count > 1 {
		line += fmt.Sprintf(" (%d times)", hint.Count)
	}
	return line
}

func deliveryLine(delivery suitesim.Delivery) string {
	answer := "no attempt"
	if count := len(delivery.Attempts); count > 0 {
		last := delivery.Attempts[count-1]
		switch {
		case last.Error != nil:
			answer = *last.Error
		case last.Status != nil:
			answer = fmt.Sprintf("answered %d", *last.Status)
		}
	}
	return fmt.Sprintf("%s to %s: %s, attempts: %d, %s", delivery.Event, delivery.URL, delivery.Status, len(delivery.Attempts), answer)
}
