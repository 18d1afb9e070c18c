package suitesim_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"suitesimulator.dev/suitesim"
	"suitesimulator.dev/suitesim/simtest"
)

func TestMain(m *testing.M) {
	os.Exit(simtest.Main(m))
}

var order = map[string]any{"amount": 1250, "currency": "USD", "description": "Standing desk"}

// newLink creates a payment link and returns its id.
func newLink(t *testing.T, workspace *suitesim.WorkspaceClient) string {
	t.Helper()
	response, err := workspace.Call(context.Background(), "payments", "POST", "/payment-links", order)
	if err != nil {
		t.Fatal(err)
	}
	var created struct {
		Data struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := response.Decode(&created); err != nil || response.Status != http.StatusCreated {
		t.Fatalf("got %d %s: %v", response.Status, response.Body, err)
	}
	return created.Data.ID
}

func TestReachesAState(t *testing.T) {
	t.Parallel()
	workspace := simtest.NewWorkspace(t)
	reached, err := workspace.Reach(context.Background(), "payments.refunds", "failed", nil)
	if err != nil {
		t.Fatal(err)
	}
	if reached.State != "failed" || reached.Record["status"] != "failed" || len(reached.Way) != 4 {
		t.Fatalf("got %+v", reached)
	}
}

func TestTakesAPayment(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	workspace := simtest.NewWorkspace(t)
	receiver := simtest.NewReceiver(t)
	if _, err := receiver.Subscribe(ctx, workspace, "payments", "payment.completed"); err != nil {
		t.Fatal(err)
	}
	link := newLink(t, workspace)
	paid, err := workspace.Trigger(ctx, "payments.link.pay", map[string]any{"link_id": link})
	if err != nil {
		t.Fatal(err)
	}
	webhook, err := receiver.Next(ctx, "payment.completed")
	if err != nil {
		t.Fatal(err)
	}
	transaction, _ := webhook.Data["transaction"].(map[string]any)
	if !webhook.Verified || transaction["id"] != paid["transaction_id"] || webhook.Attempt != 1 {
		t.Errorf("got %+v", webhook)
	}
	record, err := workspace.WaitForRecord(ctx, "payments.links", link, "status:paid")
	if err != nil || record.State == nil || *record.State != "paid" {
		t.Errorf("got %+v, %v", record, err)
	}
}

func TestRetriesAWebhookWhenTheClockMoves(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	workspace := simtest.NewWorkspace(t)
	receiver := simtest.NewReceiver(t)
	receiver.AnswerWith(func(webhook suitesim.Webhook) int {
		if webhook.Attempt == 1 {
			return http.StatusServiceUnavailable
		}
		return http.StatusNoContent
	})
	if _, err := receiver.Subscribe(ctx, workspace, "pos"); err != nil {
		t.Fatal(err)
	}
	if _, err := workspace.Trigger(ctx, "pos.event.emit", map[string]any{"event": "sale.completed"}); err != nil {
		t.Fatal(err)
	}
	if _, err := receiver.Wait(ctx, 1, ""); err != nil {
		t.Fatal(err)
	}
	advanced, err := workspace.Advance(ctx, "PT1M")
	if err != nil || !advanced.Complete {
		t.Fatalf("got %+v, %v", advanced, err)
	}
	webhooks, err := receiver.Wait(ctx, 2, "sale.completed")
	if err != nil {
		t.Fatal(err)
	}
	if webhooks[0].Status != 503 || webhooks[1].Status != 204 || webhooks[0].ID != webhooks[1].ID {
		t.Errorf("got %+v", webhooks)
	}
	deliveries, err := workspace.WaitForDeliveries(ctx, 1, suitesim.ListDeliveriesQuery{Interface: "pos"})
	if err != nil || len(deliveries[0].Attempts) != 2 {
		t.Errorf("got %+v, %v", deliveries, err)
	}
}

func TestAnswers401ToAWrongSignature(t *testing.T) {
	t.Parallel()
	receiver := simtest.NewReceiver(t)
	receiver.Trust("secret")
	for signature, want := range map[string]int{
		"":                                  401,
		"sha256=" + strings.Repeat("0", 64): 401,
		signatureOf("{}", "secret"):         200,
	} {
		request, _ := http.NewRequest("POST", receiver.URL, strings.NewReader("{}"))
		request.Header.Set("X-Service-Signature", signature)
		response, err := http.DefaultClient.Do(request)
		if err != nil || response.StatusCode != want {
			t.Errorf("%q got %v, %v", signature, response, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := receiver.Wait(ctx, 2, "")
	if !suitesim.HasCode(err, suitesim.CodeTimeout) || !strings.Contains(err.Error(), "(wrong signature)") {
		t.Errorf("got %v", err)
	}
}

// signatureOf returns the header that is valid for a body.
func signatureOf(body, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func TestReturnsErrorsOfTheControlPlane(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	workspace := simtest.NewWorkspace(t)
	_, err := workspace.Advance(ctx, "soon")
	var refusal *suitesim.Error
	if !errors.As(err, &refusal) || refusal.Code != "validation_error" || refusal.Status != 400 || len(refusal.Details) == 0 {
		t.Errorf("got %#v", err)
	}
	_, err = workspace.Simulator.GetWorkspace(ctx, "none")
	if !suitesim.HasCode(err, "not_found") {
		t.Errorf("got %v", err)
	}
	for _, id := range []string{"", ".", ".."} {
		_, err = workspace.Simulator.GetWorkspace(ctx, id)
		if !suitesim.HasCode(err, "validation_error") {
			t.Errorf("%q got %v", id, err)
		}
	}
	if _, err := workspace.Call(ctx, "shop", "GET", "/", nil); err == nil || !strings.Contains(err.Error(), `no interface "shop" exists`) {
		t.Errorf("got %v", err)
	}
	if _, err := workspace.Call(ctx, "crm", "GET", "contacts", nil); err == nil {
		t.Error("a path without a slash must be refused")
	}
	if _, err := workspace.WaitForRecord(ctx, "payments.links", "x", "status"); err == nil {
		t.Error("a condition without a value must be refused")
	}
}

func TestConnectExplainsWhyItFails(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	if _, err := suitesim.Connect(ctx, "http://127.0.0.1:1"); !suitesim.HasCode(err, suitesim.CodeUnreachable) {
		t.Errorf("got %v", err)
	}
	if _, err := suitesim.Connect(ctx, "127.0.0.1:4012"); err == nil || !strings.Contains(err.Error(), "must be a URL") {
		t.Errorf("got %v", err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(response, "<html>")
	}))
	defer other.Close()
	if _, err := suitesim.Connect(ctx, other.URL); !suitesim.HasCode(err, suitesim.CodeUnexpectedAnswer) {
		t.Errorf("got %v", err)
	}
}

func TestWaitsUntilTheDeadline(t *testing.T) {
	t.Parallel()
	workspace := simtest.NewWorkspace(t)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_, err := workspace.WaitForEmails(ctx, 1, suitesim.ListEmailsQuery{})
	if !suitesim.HasCode(err, suitesim.CodeTimeout) {
		t.Errorf("got %v", err)
	}
	// The deadline of the context can end the call before the server answers.
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		<-request.Context().Done()
	}))
	defer slow.Close()
	busy := suitesim.WorkspaceClient{Settings: workspace.Settings, Simulator: &suitesim.Simulator{URL: slow.URL}}
	short, cancelShort := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancelShort()
	_, err = busy.WaitForEmails(short, 1, suitesim.ListEmailsQuery{})
	if !suitesim.HasCode(err, suitesim.CodeTimeout) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	canceled, cancelNow := context.WithCancel(context.Background())
	cancelNow()
	if _, err = busy.WaitForEmails(canceled, 1, suitesim.ListEmailsQuery{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	found := make(chan error, 1)
	go func() {
		requests, err := workspace.WaitForRequests(context.Background(), 1, suitesim.ListRequestsQuery{Status: "4xx"})
		if err == nil && requests[0].Refusal == nil {
			err = fmt.Errorf("got %+v", requests)
		}
		found <- err
	}()
	if _, err := workspace.Call(context.Background(), "crm", "GET", "/contacts/none", nil); err != nil {
		t.Fatal(err)
	}
	if err := <-found; err != nil {
		t.Error(err)
	}
}

func TestControlsTheClockFaultsAndSnapshots(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	workspace := simtest.NewWorkspace(t, suitesim.WorkspaceCreate{Fixtures: "small", Currency: "PAB"})
	if workspace.Settings.Currency != "PAB" {
		t.Errorf("got %+v", workspace.Settings)
	}
	clock, err := workspace.Freeze(ctx, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	if err != nil || !clock.Frozen || clock.Now.Day() != 1 {
		t.Errorf("got %+v, %v", clock, err)
	}
	fault, err := workspace.AddFault(ctx, suitesim.FaultCreate{Interface: "catalog", Status: suitesim.Ptr(int64(503)), Times: suitesim.Ptr(int64(1))})
	if err != nil || fault.ID == "" {
		t.Fatalf("got %+v, %v", fault, err)
	}
	for _, want := range []int{503, 200} {
		response, err := workspace.Call(ctx, "catalog", "GET", "/products?limit=1", nil)
		if err != nil || response.Status != want {
			t.Errorf("got %+v, %v", response, err)
		}
	}
	snapshot, err := workspace.Simulator.GetSnapshot(ctx, workspace.ID())
	if err != nil || len(snapshot) == 0 {
		t.Fatalf("got %v", err)
	}
	if err := workspace.Simulator.PutSnapshot(ctx, workspace.ID(), snapshot); err != nil {
		t.Error(err)
	}
	har, err := workspace.Simulator.GetEmailFile(ctx, workspace.ID(), "none")
	if !suitesim.HasCode(err, "not_found") {
		t.Errorf("got %s, %v", har, err)
	}
	metrics, err := workspace.Simulator.GetMetrics(ctx)
	if err != nil || !bytes.Contains(metrics, []byte("suite_sim_")) {
		t.Errorf("got %v", err)
	}
}

func TestHoldsCallsUntilTheyAreReleased(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	workspace := simtest.NewWorkspace(t)
	fault, err := workspace.AddFault(ctx, suitesim.FaultCreate{Hold: suitesim.Ptr(true)})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	for index := 0; index < 2; index++ {
		go func() {
			_, err := workspace.Call(ctx, "catalog", "GET", "/products", nil)
			ended <- err
		}()
	}
	waiting, err := workspace.WaitForHeldCalls(ctx, fault.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	which := suitesim.FaultRelease{Calls: []string{waiting[1].ID}}
	for left := int64(1); left >= 0; left-- {
		released, err := workspace.ReleaseCalls(ctx, fault.ID, which)
		if err != nil || released.Released != 1 || released.Waiting != left {
			t.Fatalf("got %+v, %v", released, err)
		}
		which = suitesim.FaultRelease{}
	}
	for index := 0; index < 2; index++ {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestParallelTestsNeverMeet(t *testing.T) {
	for index := 0; index < 8; index++ {
		t.Run(fmt.Sprint(index), func(t *testing.T) {
			t.Parallel()
			workspace := simtest.NewWorkspace(t)
			newLink(t, workspace)
			requests, err := workspace.Requests(context.Background(), suitesim.ListRequestsQuery{})
			if err != nil || len(requests) != 1 {
				t.Errorf("got %d requests, %v", len(requests), err)
			}
		})
	}
}
