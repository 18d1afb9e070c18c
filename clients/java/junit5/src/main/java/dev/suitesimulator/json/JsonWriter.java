package dev.suitesimulator.json;

import java.util.List;
import java.util.Map;

/** Writes JSON without spaces. */
final class JsonWriter {
  private JsonWriter() {}

  static void write(Object value, StringBuilder to) {
    if (value instanceof Json json) {
      json.writeTo(to);
    } else if (value instanceof String text) {
      writeText(text, to);
    } else if (value instanceof Map<?, ?> fields) {
      writeFields(fields, to);
    } else if (value instanceof List<?> items) {
      writeItems(items, to);
    } else {
      to.append(value);
    }
  }

  private static void writeFields(Map<?, ?> fields, StringBuilder to) {
    String separator = "{";
    for (Map.Entry<?, ?> each : fields.entrySet()) {
      to.append(separator);
      writeText((String) each.getKey(), to);
      to.append(':');
      write(each.getValue(), to);
      separator = ",";
    }
    to.append(fields.isEmpty() ? "{}" : "}");
  }

  private static void writeItems(List<?> items, StringBuilder to) {
    String separator = "[";
    for (Object each : items) {
      to.append(separator);
      write(each, to);
      separator = ",";
    }
    to.append(items.isEmpty() ? "[]" : "]");
  }

  private static void writeText(String text, StringBuilder to) {
    to.append('"');
    for (int index = 0; index < text.length(); index++) {
      char each = text.charAt(index);
      switch (each) {
        case '"' -> to.append("\\\"");
        case '\\' -> to.append("\\\\");
        case '\n' -> to.append("\\n");
        case '\r' -> to.append("\\r");
        case '\t' -> to.append("\\t");
        default -> {
          if (each < ' ' || isAlone(text, index)) to.append(String.format("\\u%04x", (int) each));
          else to.append(each);
        }
      }
    }
    to.append('"');
  }

  /** Returns true for half of a surrogate pair, which UTF-8 would replace by a question mark. */
  private static boolean isAlone(String text, int index) {
    char each = text.charAt(index);
    if (!Character.isSurrogate(each)) return false;
    if (Character.isHighSurrogate(each)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    return index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
  }
}
