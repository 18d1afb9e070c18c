package dev.suitesimulator;

import dev.suitesimulator.generated.InboxEntry;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The webhooks that the built-in receiver of the simulator got. */
public final class Inbox extends Part {
  Inbox(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Lists the newest entries. */
  public List<InboxEntry> list() {
    return list(Map.of());
  }

  private List<InboxEntry> list(Map<String, ?> query) {
    return answer(query).get("data").list(InboxEntry::from);
  }

  private Json answer(Map<String, ?> query) {
    return control.call(Operation.LIST_INBOX, at().withQuery(query));
  }

  /** Returns as soon as this number of entries exists, newest first. Waits up to ten seconds. */
  public List<InboxEntry> await(int count) {
    return await(count, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns as soon as this number of entries exists, newest first.
   *
   * @throws SimulatorException with the code "timeout", and the number of those that exist
   */
  public List<InboxEntry> await(int count, Duration timeout) {
    return Waiting.rows(count, timeout, Map.of(), "inbox entries", this::answer, InboxEntry::from);
  }

  /** Empties the inbox. */
  public void clear() {
    control.call(Operation.CLEAR_INBOX, at());
  }
}
