package suitesim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"time"
)

// WorkspaceClient is one workspace, isolated from all others, and a key for its interfaces. It is safe for concurrent use.
type WorkspaceClient struct {
	// Settings are those at the creation of the workspace.
	Settings Workspace
	// Key works for all interfaces, with all scopes. Change it to call interfaces with another key.
	Key string
	// ControlToken opens the control calls of this workspace and no others, as the AdminToken of a Simulator. The server
	// shows it only when the workspace is created.
	ControlToken string
	Simulator    *Simulator
}

// NewWorkspace creates a workspace: empty, or with the fixtures "small" or "demo", or a snapshot.
func (simulator *Simulator) NewWorkspace(ctx context.Context, options WorkspaceCreate) (*WorkspaceClient, error) {
	created, err := simulator.CreateWorkspace(ctx, options)
	if err != nil {
		return nil, err
	}
	return &WorkspaceClient{Settings: created.Workspace, Key: created.Key, ControlToken: created.ControlToken, Simulator: simulator}, nil
}

// ID returns the id of the workspace.
func (workspace *WorkspaceClient) ID() string {
	return workspace.Settings.ID
}

// URLOf returns the URL of an interface: "http://127.0.0.1:4012/pay/v1".
func (workspace *WorkspaceClient) URLOf(interfaceName string) (string, error) {
	mounted, err := mountOf(interfaceName)
	return workspace.Simulator.URL + mounted.basePath, err
}

// HeaderOf returns the header with the key for an interface.
func (workspace *WorkspaceClient) HeaderOf(interfaceName string) (http.Header, error) {
	mounted, err := mountOf(interfaceName)
	header := http.Header{}
	if mounted.header == "" {
		header.Set("Authorization", "Bearer "+workspace.Key)
	} else {
		header.Set(mounted.header, workspace.Key)
	}
	return header, err
}

func mountOf(interfaceName string) (mount, error) {
	mounted, isKnown := mounts[interfaceName]
	if isKnown {
		return mounted, nil
	}
	names := make([]string, 0, len(mounts))
	for name := range mounts {
		names = append(names, name)
	}
	sort.Strings(names)
	return mount{}, fmt.Errorf("suitesim: no interface %q exists; the interfaces are %s", interfaceName, strings.Join(names, ", "))
}

// Response is the response of an interface.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Decode decodes the JSON of the body.
func (response *Response) Decode(value any) error {
	return json.Unmarshal(response.Body, value)
}

// Call calls an interface with the key: workspace.Call(ctx, "catalog", "POST", "/products", product). A body other than
// nil is sent as JSON. A refusal is a response, not an error.
func (workspace *WorkspaceClient) Call(ctx context.Context, interfaceName, method, path string, body any) (*Response, error) {
	baseURL, err := workspace.URLOf(interfaceName)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(path, "/") {
		return nil, fmt.Errorf("suitesim: the path %q must start with a slash", path)
	}
	request, err := newRequest(ctx, method, baseURL+path, body)
	if err != nil {
		return nil, err
	}
	header, err := workspace.HeaderOf(interfaceName)
	if err != nil {
		return nil, err
	}
	for name := range header {
		request.Header.Set(name, header.Get(name))
	}
	response, err := workspace.Simulator.client().Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return &Response{Status: response.StatusCode, Header: response.Header, Body: text}, err
}

// Trigger simulates an action by a user, a device or an authority: workspace.Trigger(ctx, "payments.link.pay",
// map[string]any{"link_id": id}).
func (workspace *WorkspaceClient) Trigger(ctx context.Context, name string, body map[string]any) (map[string]any, error) {
	if body == nil {
		body = map[string]any{}
	}
	return workspace.Simulator.PullTrigger(ctx, workspace.ID(), name, body)
}

// Reach puts a new record into a state, and returns it with the way there as code: workspace.Reach(ctx,
// "payments.refunds", "failed", nil). Fields are those of the call or trigger that makes the record.
func (workspace *WorkspaceClient) Reach(ctx context.Context, record, state string, fields map[string]any) (Reached, error) {
	return workspace.Simulator.Reach(ctx, workspace.ID(), Reach{Record: record, State: state, Fields: fields})
}

// Advance advances the clock by an ISO 8601 duration such as "PT1H". It returns when the due jobs have run and the due
// webhooks were sent.
func (workspace *WorkspaceClient) Advance(ctx context.Context, duration string) (Advanced, error) {
	return workspace.Simulator.AdvanceClock(ctx, workspace.ID(), Advance{Duration: duration})
}

// Freeze freezes the clock at a time.
func (workspace *WorkspaceClient) Freeze(ctx context.Context, now time.Time) (Clock, error) {
	change := ClockChange{Now: now.UTC().Format(time.RFC3339Nano), Frozen: Ptr(true)}
	return workspace.Simulator.SetClock(ctx, workspace.ID(), change)
}

// Requests lists the request journal, newest first.
func (workspace *WorkspaceClient) Requests(ctx context.Context, filter ListRequestsQuery) ([]JournalEntry, error) {
	result, err := workspace.Simulator.ListRequests(ctx, workspace.ID(), filter)
	return result.Data, err
}

// WaitForRequests returns as soon as count requests match, newest first.
func (workspace *WorkspaceClient) WaitForRequests(ctx context.Context, count int, filter ListRequestsQuery) ([]JournalEntry, error) {
	return waitFor(ctx, "requests", count, func(wait float64) ([]JournalEntry, error) {
		filter.Wait, filter.Count = wait, count
		return workspace.Requests(ctx, filter)
	})
}

// Deliveries lists webhook deliveries, newest first.
func (workspace *WorkspaceClient) Deliveries(ctx context.Context, filter ListDeliveriesQuery) ([]Delivery, error) {
	result, err := workspace.Simulator.ListDeliveries(ctx, workspace.ID(), filter)
	return result.Data, err
}

// WaitForDeliveries returns as soon as count deliveries are delivered, or have the status of the filter; newest first.
func (workspace *WorkspaceClient) WaitForDeliveries(ctx context.Context, count int, filter ListDeliveriesQuery) ([]Delivery, error) {
	if filter.Status == "" {
		filter.Status = "delivered"
	}
	return waitFor(ctx, "deliveries", count, func(wait float64) ([]Delivery, error) {
		filter.Wait, filter.Count = wait, count
		return workspace.Deliveries(ctx, filter)
	})
}

// Emails lists the e-mails that the suite would have sent, newest first.
func (workspace *WorkspaceClient) Emails(ctx context.Context, filter ListEmailsQuery) ([]Email, error) {
	result, err := workspace.Simulator.ListEmails(ctx, workspace.ID(), filter)
	return result.Data, err
}

// WaitForEmails returns as soon as count e-mails match, newest first.
func (workspace *WorkspaceClient) WaitForEmails(ctx context.Context, count int, filter ListEmailsQuery) ([]Email, error) {
	return waitFor(ctx, "e-mails", count, func(wait float64) ([]Email, error) {
		filter.Wait, filter.Count = wait, count
		return workspace.Emails(ctx, filter)
	})
}

// WaitForRecord returns a record as soon as a field has a value: WaitForRecord(ctx, "payments.links", id, "status:paid").
func (workspace *WorkspaceClient) WaitForRecord(ctx context.Context, section, recordID, until string) (RecordWithState, error) {
	field, value, hasValue := strings.Cut(until, ":")
	if !hasValue {
		return RecordWithState{}, fmt.Errorf("suitesim: until must be a field and its value, such as status:paid, not %q", until)
	}
	found, err := waitFor(ctx, "record with "+until, 1, func(wait float64) ([]RecordWithState, error) {
		query := GetRecordQuery{Until: until, Wait: wait}
		record, err := workspace.Simulator.GetRecord(ctx, workspace.ID(), section, recordID, query)
		if err != nil || fmt.Sprint(record.Record[field]) != value {
			return nil, err
		}
		return []RecordWithState{record}, nil
	})
	if err != nil {
		return RecordWithState{}, err
	}
	return found[0], nil
}

// AddFault injects a fault into calls or deliveries.
func (workspace *WorkspaceClient) AddFault(ctx context.Context, fault FaultCreate) (Fault, error) {
	return workspace.Simulator.CreateFault(ctx, workspace.ID(), fault)
}

// WaitForHeldCalls returns the calls that wait for a fault with Hold, as soon as count calls do.
func (workspace *WorkspaceClient) WaitForHeldCalls(ctx context.Context, faultID string, count int) ([]HeldCall, error) {
	return waitFor(ctx, "calls that "+faultID+" holds", count, func(wait float64) ([]HeldCall, error) {
		fault, err := workspace.Simulator.GetFault(ctx, workspace.ID(), faultID, GetFaultQuery{Wait: wait, Count: count})
		return fault.Waiting, err
	})
}

// ReleaseCalls lets calls go on that wait for a fault with Hold: all, the first Count, or Calls in this order.
func (workspace *WorkspaceClient) ReleaseCalls(ctx context.Context, faultID string, which FaultRelease) (FaultReleased, error) {
	return workspace.Simulator.ReleaseCalls(ctx, workspace.ID(), faultID, which)
}

// Hints lists the hints for callers, grouped.
func (workspace *WorkspaceClient) Hints(ctx context.Context) ([]GroupedHint, error) {
	return workspace.Simulator.ListHints(ctx, workspace.ID(), ListHintsQuery{})
}

// Delete deletes the workspace with all its data. A workspace that no longer exists is no error.
func (workspace *WorkspaceClient) Delete(ctx context.Context) error {
	err := workspace.Simulator.DeleteWorkspace(ctx, workspace.ID())
	if HasCode(err, "not_found") {
		return nil
	}
	return err
}

// DefaultTimeout is the time that the Wait methods take at most if their context has no deadline.
const DefaultTimeout = 10 * time.Second

// longestWait is the longest wait of one call.
const longestWait = 60 * time.Second

// waitFor repeats long polls until count items exist or the deadline has passed.
func waitFor[Item any](ctx context.Context, what string, count int, poll func(wait float64) ([]Item, error)) ([]Item, error) {
	deadline, hasDeadline := ctx.Deadline()
	if !hasDeadline {
		deadline = time.Now().Add(DefaultTimeout)
	}
	received := 0
	timeout := func(cause error) error {
		message := fmt.Sprintf("Waited for %d %s; received %d.", count, what, received)
		return &Error{Code: CodeTimeout, Message: message, cause: cause}
	}
	for {
		wait := time.Until(deadline)
		if wait > longestWait {
			wait = longestWait
		}
		// The server answers slightly before the deadline of the context would end the call.
		seconds := wait.Seconds() - 0.1
		if seconds < 0 {
			seconds = 0
		}
		items, err := poll(seconds)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
			// A busy server can answer after the deadline.
			return nil, timeout(err)
		}
		if err != nil {
			return nil, err
		}
		if len(items) >= count {
			return items, nil
		}
		received = len(items)
		if time.Until(deadline) <= 200*time.Millisecond {
			return nil, timeout(nil)
		}
	}
}
