// Package failing has a test that fails, whose output the tests of the repository check.
package failing

import (
	"context"
	"net/http"
	"os"
	"testing"

	"suitesimulator.dev/suitesim"
	"suitesimulator.dev/suitesim/simtest"
)

func TestMain(m *testing.M) {
	os.Exit(simtest.Main(m))
}

func TestFails(t *testing.T) {
	ctx := context.Background()
	workspace := simtest.NewWorkspace(t)
	receiver := simtest.NewReceiver(t)
	receiver.AnswerWith(func(suitesim.Webhook) int { return http.StatusGone })
	must(t, ignore(receiver.Subscribe(ctx, workspace, "pos")))
	must(t, ignore(workspace.Call(ctx, "crm", "GET", "/contacts?colour=red", nil)))
	must(t, ignore(workspace.Call(ctx, "payments", "POST", "/payment-links", map[string]any{"amount": -1})))
	must(t, ignore(workspace.Trigger(ctx, "pos.event.emit", map[string]any{"event": "sale.completed"})))
	must(t, ignore(workspace.WaitForDeliveries(ctx, 1, suitesim.ListDeliveriesQuery{Status: "dead"})))
	t.Error("the error of the test")
}

func TestPasses(t *testing.T) {
	simtest.NewWorkspace(t)
}

func ignore[Value any](_ Value, err error) error {
	return err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
