package dev.suitesimulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The webhooks of a receiver in order, and the threads that wait for them. */
final class ReceivedWebhooks {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final List<ReceivedWebhook> webhooks = new ArrayList<>();

  /** By identity, because two attempts can be equal. */
  private final Set<ReceivedWebhook> returned = Collections.newSetFromMap(new IdentityHashMap<>());

  void add(ReceivedWebhook webhook) {
    lock.lock();
    try {
      webhooks.add(webhook);
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<ReceivedWebhook> all() {
    lock.lock();
    try {
      return List.copyOf(webhooks);
    } finally {
      lock.unlock();
    }
  }

  void clear() {
    lock.lock();
    try {
      webhooks.clear();
      returned.clear();
    } finally {
      lock.unlock();
    }
  }

  ReceivedWebhook next(String event, Duration timeout) {
    return until(
        event,
        timeout,
        "another webhook",
        matching -> {
          Optional<ReceivedWebhook> first =
              matching.stream().filter(each -> !returned.contains(each)).findFirst();
          first.ifPresent(returned::add);
          return first;
        });
  }

  List<ReceivedWebhook> await(int count, String event, Duration timeout) {
    return until(
        event,
        timeout,
        count + " webhooks",
        matching ->
            matching.size() < count
                ? Optional.empty()
                : Optional.of(List.copyOf(matching.subList(0, count))));
  }

  /**
   * Returns the first result of a function of the matching webhooks; those with a wrong signature never
   * match.
   */
  private <Picked> Picked until(
      String event,
      Duration timeout,
      String what,
      Function<List<ReceivedWebhook>, Optional<Picked>> pick) {
    lock.lock();
    try {
      long left = timeout.toNanos();
      for (;;) {
        Optional<Picked> picked = pick.apply(matching(event));
        if (picked.isPresent()) return picked.get();
        if (left <= 0) throw timeoutError(event == null ? what : what + " " + event, timeout);
        left = arrived.awaitNanos(left);
      }
    } catch (InterruptedException error) {
      throw SimulatorException.interrupted(error);
    } finally {
      lock.unlock();
    }
  }

  private List<ReceivedWebhook> matching(String event) {
    return webhooks.stream()
        .filter(ReceivedWebhook::isAcceptable)
        .filter(each -> event == null || event.equals(each.event()))
        .toList();
  }

  private SimulatorException timeoutError(String what, Duration timeout) {
    String events =
        webhooks.stream()
            .map(each -> each.event() + (each.isAcceptable() ? "" : " (wrong signature)"))
            .collect(Collectors.joining(", "));
    return new SimulatorException(
        SimulatorException.TIMEOUT,
        "Waited %s s for %s. Received in all: %s."
            .formatted(Waiting.seconds(timeout), what, events.isEmpty() ? "nothing" : events));
  }
}
