package org.testcontainers.containers.wait.strategy;

/** The signatures of Testcontainers that the module uses. */
public class Wait {
  public static HttpWaitStrategy forHttp(String path) {
    throw new UnsupportedOperationException();
  }
}
