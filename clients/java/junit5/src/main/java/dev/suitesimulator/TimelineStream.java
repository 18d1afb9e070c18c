package dev.suitesimulator;

import dev.suitesimulator.generated.TimelineItem;
import dev.suitesimulator.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.stream.Stream;

/**
 * A stream of a workspace's timeline, which has every later item. It ends with its workspace and with
 * {@link #close}:
 * {@code try (TimelineStream stream = workspace.stream()) { for (TimelineItem item : stream) ... }}
 */
public final class TimelineStream implements Iterable<TimelineItem>, AutoCloseable {
  private static final String PREFIX = "data: ";

  private final InputStream body;
  private final Stream<TimelineItem> items;

  TimelineStream(InputStream body) {
    this.body = body;
    // The server sends one data line for each item, and comments in between.
    this.items =
        new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))
            .lines()
            .filter(line -> line.startsWith(PREFIX))
            .map(line -> TimelineItem.from(Json.parse(line.substring(PREFIX.length()))));
  }

  /** Returns the items as they occur. They can be read only once. */
  @Override
  public Iterator<TimelineItem> iterator() {
    return items.iterator();
  }

  /** Closes the connection. */
  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
