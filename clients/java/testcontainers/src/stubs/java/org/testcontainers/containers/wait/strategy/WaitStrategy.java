package org.testcontainers.containers.wait.strategy;

/** The signatures of Testcontainers that the module uses. */
public interface WaitStrategy {}
