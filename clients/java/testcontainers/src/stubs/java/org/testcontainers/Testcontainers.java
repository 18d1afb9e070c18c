package org.testcontainers;

/** The signatures of Testcontainers that the module uses. */
public class Testcontainers {
  public static void exposeHostPorts(int... ports) {
    throw new UnsupportedOperationException();
  }
}
