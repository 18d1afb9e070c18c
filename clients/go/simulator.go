// Package suitesim is a client of Suite Simulator, a server that simulates the HTTP interfaces of a business software
// suite. Package simtest has the helpers for tests.
package suitesim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// DefaultURL is the address of a simulator that was started without flags.
const DefaultURL = "http://127.0.0.1:4012"

// The codes of errors that do not come from the server.
const (
	// CodeUnreachable is the code if no server responds.
	CodeUnreachable = "unreachable"
	// CodeUnexpectedAnswer is the code if the server is not a simulator.
	CodeUnexpectedAnswer = "unexpected_answer"
	// CodeTimeout is the code if the expected items did not appear in time.
	CodeTimeout = "timeout"
)

// Error is a refused call or a timeout. Code is that of the control plane, such as "not_found", or one of the constants.
type Error struct {
	Code    string
	Message string
	// Status is the response status; 0 without a response.
	Status  int
	Details []FieldError
	cause   error
}

// FieldError is the error of one field.
type FieldError struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	return e.Message
}

func (e *Error) Unwrap() error {
	return e.cause
}

// HasCode returns true if the error, or one that it wraps, is an *Error with this code.
func HasCode(err error, code string) bool {
	var found *Error
	return errors.As(err, &found) && found.Code == code
}

// Ptr returns a pointer to a value, for optional fields of request bodies.
func Ptr[Value any](value Value) *Value {
	return &value
}

type mount struct {
	basePath string
	header   string
}

// Simulator is a simulator in any process. It is safe for concurrent use.
type Simulator struct {
	// URL is the base URL of the server, without a slash at its end.
	URL string
	// AdminToken is the bearer token of the control plane; empty if it needs none.
	AdminToken string
	// HTTPClient makes the calls; http.DefaultClient if it is nil.
	HTTPClient *http.Client
}

// Connect connects to a running simulator: at url; if it is empty, at SUITE_SIM_URL or DefaultURL. The token of the
// control plane is SIM_ADMIN_TOKEN; set AdminToken for another one.
func Connect(ctx context.Context, baseURL string) (*Simulator, error) {
	if baseURL == "" {
		baseURL = os.Getenv("SUITE_SIM_URL")
	}
	if baseURL == "" {
		baseURL = DefaultURL
	}
	parsed, err := url.Parse(baseURL)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return nil, fmt.Errorf("suitesim: %s must be a URL that starts with http:// or https://", baseURL)
	}
	simulator := &Simulator{URL: strings.TrimRight(baseURL, "/"), AdminToken: os.Getenv("SIM_ADMIN_TOKEN")}
	health, err := simulator.GetLiveness(ctx)
	if err != nil {
		return nil, err
	}
	if health.Status != "ok" {
		return nil, &Error{Code: CodeUnexpectedAnswer, Message: "The server at " + baseURL + " is not a simulator."}
	}
	return simulator, nil
}

func (simulator *Simulator) client() *http.Client {
	if simulator.HTTPClient != nil {
		return simulator.HTTPClient
	}
	return http.DefaultClient
}

// segment escapes a path parameter. An empty one, "." and ".." would name another path.
func segment(value string) string {
	if value == "" || value == "." || value == ".." {
		return invalidSegment
	}
	return url.PathEscape(value)
}

// invalidSegment can't be in an escaped path.
const invalidSegment = " "

// call makes a call of the control plane and decodes its JSON into result, unless that is nil.
func (simulator *Simulator) call(ctx context.Context, method, path string, query url.Values, body, result any) error {
	text, err := simulator.read(ctx, method, path, query, body)
	if err != nil || result == nil {
		return err
	}
	if err := json.Unmarshal(text, result); err != nil {
		return unexpected(method, path, http.StatusOK, text, err)
	}
	return nil
}

// read makes a call of the control plane and returns the bytes of its response.
func (simulator *Simulator) read(ctx context.Context, method, path string, query url.Values, body any) ([]byte, error) {
	if strings.Contains(path, invalidSegment) {
		return nil, &Error{
			Code:    "validation_error",
			Message: method + " " + path + `: an id or a name must not be empty, "." or ".."`,
		}
	}
	target := simulator.URL + "/_sim" + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	request, err := newRequest(ctx, method, target, body)
	if err != nil {
		return nil, err
	}
	if simulator.AdminToken != "" {
		request.Header.Set("Authorization", "Bearer "+simulator.AdminToken)
	}
	response, err := simulator.client().Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		message := "No simulator responds at " + simulator.URL + "/_sim: " + err.Error()
		return nil, &Error{Code: CodeUnreachable, Message: message, cause: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, refusal(method, path, response.StatusCode, text)
	}
	return text, nil
}

func newRequest(ctx context.Context, method, target string, body any) (*http.Request, error) {
	if body == nil {
		return http.NewRequestWithContext(ctx, method, target, nil)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	return request, nil
}

// refusal returns the error in the body of a refused call.
func refusal(method, path string, status int, text []byte) error {
	var body struct {
		Error *struct {
			Code    string       `json:"code"`
			Message string       `json:"message"`
			Details []FieldError `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal(text, &body); err != nil || body.Error == nil || body.Error.Code == "" {
		return unexpected(method, path, status, text, err)
	}
	return &Error{
		Code:    body.Error.Code,
		Message: body.Error.Message,
		Status:  status,
		Details: body.Error.Details,
	}
}

const longestShown = 200

func unexpected(method, path string, status int, text []byte, cause error) error {
	if len(text) > longestShown {
		text = text[:longestShown]
	}
	return &Error{
		Code:    CodeUnexpectedAnswer,
		Message: fmt.Sprintf("%s %s got %d from a server that is not a simulator: %s", method, path, status, text),
		Status:  status,
		cause:   cause,
	}
}
