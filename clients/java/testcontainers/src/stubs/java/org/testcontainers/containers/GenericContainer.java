package org.testcontainers.containers;

import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** The signatures of Testcontainers that the module uses. */
public class GenericContainer<SELF extends GenericContainer<SELF>> implements AutoCloseable {
  public GenericContainer(DockerImageName image) {}

  public SELF withExposedPorts(Integer... ports) {
    throw new UnsupportedOperationException();
  }

  public SELF withAccessToHost(boolean value) {
    throw new UnsupportedOperationException();
  }

  public SELF withEnv(String name, String value) {
    throw new UnsupportedOperationException();
  }

  public SELF waitingFor(WaitStrategy strategy) {
    throw new UnsupportedOperationException();
  }

  public String getHost() {
    throw new UnsupportedOperationException();
  }

  public Integer getMappedPort(int port) {
    throw new UnsupportedOperationException();
  }

  public void start() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
