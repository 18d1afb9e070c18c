package org.testcontainers.utility;

/** The signatures of Testcontainers that the module uses. */
public final class DockerImageName {
  public static DockerImageName parse(String name) {
    throw new UnsupportedOperationException();
  }
}
