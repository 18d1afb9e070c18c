package suitesim

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// longestBody is the maximum size of a body in bytes, more than any webhook has.
const longestBody = 16 << 20

// VerifySignature checks the header X-Service-Signature: "sha256=" and the hex HMAC-SHA256 of the body with the secret of
// the subscription. All interfaces sign in this way.
func VerifySignature(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hmac.Equal([]byte("sha256="+hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// Webhook is a received webhook.
type Webhook struct {
	// ID is the same in every attempt: that of the envelope, or else of the delivery.
	ID    string
	Event string
	// Data is the event data; the whole body if it has no envelope.
	Data map[string]any
	// Body has the signed bytes.
	Body   []byte
	Header http.Header
	// Attempt is the number of the attempt, from 1.
	Attempt int
	// Verified is true if one of the secrets signed the webhook, or if the receiver has none.
	Verified bool
	// Status is the response status.
	Status int

	isReturned bool
}

// Receiver receives webhooks on this machine. It is safe for concurrent use.
type Receiver struct {
	// URL is the address for subscriptions.
	URL string

	server   *http.Server
	mutex    sync.Mutex
	changed  chan struct{}
	received []*Webhook
	secrets  map[string]bool
	answer   func(Webhook) int
}

// NewReceiver starts a receiver on a free port. It listens on 127.0.0.1 unless SUITE_SIM_WEBHOOK_HOST has the name of
// this machine for a simulator in a container, such as "host.docker.internal".
func NewReceiver() (*Receiver, error) {
	host := os.Getenv("SUITE_SIM_WEBHOOK_HOST")
	listening := "0.0.0.0:0"
	if host == "" {
		host, listening = "127.0.0.1", "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", listening)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, err
	}
	receiver := &Receiver{
		URL:     "http://" + net.JoinHostPort(host, port) + "/webhooks",
		changed: make(chan struct{}),
		secrets: map[string]bool{},
	}
	receiver.server = &http.Server{Handler: http.HandlerFunc(receiver.take), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = receiver.server.Serve(listener) }()
	return receiver, nil
}

// Close stops the receiver.
func (receiver *Receiver) Close() error {
	return receiver.server.Close()
}

// Trust accepts webhooks that this secret signed, too. A receiver with secrets answers 401 to other webhooks.
func (receiver *Receiver) Trust(secret string) {
	receiver.mutex.Lock()
	defer receiver.mutex.Unlock()
	receiver.secrets[secret] = true
}

// Subscribe subscribes the receiver in a workspace and trusts its secret. Without events, it subscribes to all.
func (receiver *Receiver) Subscribe(ctx context.Context, workspace *WorkspaceClient, interfaceName string, events ...string) (CreatedSubscription, error) {
	subscription := SubscriptionCreate{Interface: interfaceName, URL: receiver.URL, Events: events}
	created, err := workspace.Simulator.CreateSubscription(ctx, workspace.ID(), subscription)
	if err == nil {
		receiver.Trust(created.Secret)
	}
	return created, err
}

// AnswerWith sets the response status from now on: of a function of the webhook, which must not use the receiver.
func (receiver *Receiver) AnswerWith(answer func(Webhook) int) {
	receiver.mutex.Lock()
	defer receiver.mutex.Unlock()
	receiver.answer = answer
}

// Received returns all received webhooks in order: every attempt, and those with a wrong signature.
func (receiver *Receiver) Received() []Webhook {
	receiver.mutex.Lock()
	defer receiver.mutex.Unlock()
	return valuesOf(receiver.received)
}

// Next returns the first webhook with this event, past or future, that no earlier Next returned; an empty event is any. It
// waits until the deadline of the context, or DefaultTimeout.
func (receiver *Receiver) Next(ctx context.Context, event string) (Webhook, error) {
	found, err := receiver.until(ctx, "another webhook "+event, func() []*Webhook {
		for _, webhook := range receiver.matching(event) {
			if !webhook.isReturned {
				webhook.isReturned = true
				return []*Webhook{webhook}
			}
		}
		return nil
	})
	if err != nil {
		return Webhook{}, err
	}
	return found[0], nil
}

// Wait returns the first count webhooks with this event when they have arrived, including those that Next returned.
func (receiver *Receiver) Wait(ctx context.Context, count int, event string) ([]Webhook, error) {
	return receiver.until(ctx, fmt.Sprintf("%d webhooks %s", count, event), func() []*Webhook {
		found := receiver.matching(event)
		if len(found) < count {
			return nil
		}
		return found[:count]
	})
}

// matching returns the webhooks with an event; those with a wrong signature never match. It needs the mutex.
func (receiver *Receiver) matching(event string) []*Webhook {
	var found []*Webhook
	for _, webhook := range receiver.received {
		if webhook.Verified && (event == "" || webhook.Event == event) {
			found = append(found, webhook)
		}
	}
	return found
}

// until returns the first result of pick, which is asked again after each webhook.
func (receiver *Receiver) until(ctx context.Context, what string, pick func() []*Webhook) ([]Webhook, error) {
	if _, hasDeadline := ctx.Deadline(); !hasDeadline {
		limited, cancel := context.WithTimeout(ctx, DefaultTimeout)
		defer cancel()
		ctx = limited
	}
	for {
		receiver.mutex.Lock()
		picked, changed := pick(), receiver.changed
		values := valuesOf(picked)
		receiver.mutex.Unlock()
		if picked != nil {
			return values, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, receiver.timeout(strings.TrimSpace(what), ctx.Err())
		}
	}
}

func valuesOf(webhooks []*Webhook) []Webhook {
	values := make([]Webhook, len(webhooks))
	for index, webhook := range webhooks {
		values[index] = *webhook
	}
	return values
}

func (receiver *Receiver) timeout(what string, cause error) error {
	var events []string
	for _, webhook := range receiver.Received() {
		event := webhook.Event
		if !webhook.Verified {
			event += " (wrong signature)"
		}
		events = append(events, event)
	}
	if len(events) == 0 {
		events = []string{"nothing"}
	}
	message := fmt.Sprintf("Waited for %s. Received in all: %s.", what, strings.Join(events, ", "))
	return &Error{Code: CodeTimeout, Message: message, cause: cause}
}

func (receiver *Receiver) take(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, longestBody))
	if err != nil {
		http.Error(response, "the body is too large for a webhook", http.StatusRequestEntityTooLarge)
		return
	}
	webhook := parse(body, request.Header)
	receiver.mutex.Lock()
	webhook.Verified = receiver.verify(body, request.Header.Get("X-Service-Signature"))
	answer := receiver.answer
	receiver.mutex.Unlock()
	switch {
	case !webhook.Verified:
		webhook.Status = http.StatusUnauthorized
	case answer != nil:
		webhook.Status = answer(*webhook)
	default:
		webhook.Status = http.StatusOK
	}
	receiver.mutex.Lock()
	receiver.received = append(receiver.received, webhook)
	close(receiver.changed)
	receiver.changed = make(chan struct{})
	receiver.mutex.Unlock()
	response.WriteHeader(webhook.Status)
}

func (receiver *Receiver) verify(body []byte, signature string) bool {
	for secret := range receiver.secrets {
		if VerifySignature(body, signature, secret) {
			return true
		}
	}
	return len(receiver.secrets) == 0
}

// parse reads a webhook. A truncated body is no JSON; only its bytes are kept.
func parse(body []byte, header http.Header) *Webhook {
	payload := map[string]any{}
	_ = json.Unmarshal(body, &payload)
	webhook := &Webhook{
		ID:      header.Get("X-Service-Delivery"),
		Event:   header.Get("X-Service-Event"),
		Data:    payload,
		Body:    body,
		Header:  header,
		Attempt: 1,
	}
	// The id of a body without an envelope is that of its record, which may be a number.
	if id, isText := payload["id"].(string); isText {
		webhook.ID = id
	}
	if event, isText := payload["event"].(string); isText && webhook.Event == "" {
		webhook.Event = event
	}
	if data, isObject := payload["data"].(map[string]any); isObject {
		webhook.Data = data
	}
	if attempt, err := strconv.Atoi(header.Get("X-Service-Attempt")); err == nil {
		webhook.Attempt = attempt
	}
	return webhook
}
