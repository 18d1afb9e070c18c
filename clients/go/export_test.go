package suitesim

import "time"

// SetStopTimeout changes the time that a server has to stop, and returns a function that restores it.
func SetStopTimeout(timeout time.Duration) func() {
	before := stopTimeout
	stopTimeout = timeout
	return func() { stopTimeout = before }
}
