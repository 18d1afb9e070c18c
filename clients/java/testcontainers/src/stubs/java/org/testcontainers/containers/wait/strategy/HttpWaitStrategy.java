package org.testcontainers.containers.wait.strategy;

/** The signatures of Testcontainers that the module uses. */
public class HttpWaitStrategy implements WaitStrategy {
  public HttpWaitStrategy forPort(int port) {
    throw new UnsupportedOperationException();
  }

  public HttpWaitStrategy forStatusCode(int status) {
    throw new UnsupportedOperationException();
  }
}
