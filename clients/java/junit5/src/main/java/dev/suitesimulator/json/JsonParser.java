package dev.suitesimulator.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses JSON as RFC 8259 defines it. The last of several fields with the same name counts. */
final class JsonParser {
  /** Deeper values would overflow the stack. */
  static final int MAX_DEPTH = 1_000;

  /** Longer numbers take a time that grows with the square of their length. */
  private static final int MAX_DIGITS = 1_000;

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

  private final String text;
  private int position = 0;
  private int depth = 0;

  JsonParser(String text) {
    this.text = text;
  }

  Json parse() {
    Json value = readValue();
    skipSpace();
    if (position < text.length()) throw unexpected("the end");
    return value;
  }

  private Json readValue() {
    skipSpace();
    if (position == text.length()) throw unexpected("a value");
    return switch (text.charAt(position)) {
      case '{' -> readObject();
      case '[' -> readArray();
      case '"' -> Json.ofText(readText());
      case 't' -> readWord("true", Json.ofBoolean(true));
      case 'f' -> readWord("false", Json.ofBoolean(false));
      case 'n' -> readWord("null", Json.NULL);
      default -> readNumber();
    };
  }

  private Json readObject() {
    Map<String, Json> fields = new LinkedHashMap<>();
    enter();
    if (!skip('}')) {
      do {
        skipSpace();
        if (!isAt('"')) throw unexpected("the name of a field in quotes");
        String name = readText();
        expect(':');
        fields.put(name, readValue());
      } while (skip(','));
      expect('}');
    }
    depth--;
    return Json.ofFields(fields);
  }

  private Json readArray() {
    List<Json> items = new ArrayList<>();
    enter();
    if (!skip(']')) {
      do items.add(readValue());
      while (skip(','));
      expect(']');
    }
    depth--;
    return Json.ofItems(items);
  }

  private void enter() {
    position++;
    if (++depth > MAX_DEPTH) throw tooDeep();
  }

  private String readText() {
    StringBuilder read = new StringBuilder();
    position++;
    for (;;) {
      if (position == text.length()) throw unexpected("the end of a string");
      char each = text.charAt(position++);
      if (each == '"') return read.toString();
      if (each < ' ') throw unexpectedBefore("an escaped control character");
      read.append(each == '\\' ? readEscape() : each);
    }
  }

  private char readEscape() {
    if (position == text.length()) throw unexpected("an escape");
    char each = text.charAt(position++);
    return switch (each) {
      case '"', '\\', '/' -> each;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> readUnicode();
      default -> throw unexpectedBefore("an escape");
    };
  }

  private char readUnicode() {
    int code = 0;
    for (int end = position + 4; position < end; position++) {
      int digit = position < text.length() ? hexDigit(text.charAt(position)) : -1;
      if (digit < 0) throw unexpected("four hexadecimal digits");
      code = code * 16 + digit;
    }
    return (char) code;
  }

  /** Not Character.digit(), which takes the digits of all scripts. */
  private static int hexDigit(char each) {
    return "0123456789abcdef".indexOf(each >= 'A' && each <= 'F' ? each + ('a' - 'A') : each);
  }

  private Json readNumber() {
    Matcher matcher = NUMBER.matcher(text).region(position, text.length());
    if (!matcher.lookingAt()) throw unexpected("a value");
    String digits = matcher.group();
    if (digits.length() > MAX_DIGITS) {
      throw new JsonException("a number has more than " + MAX_DIGITS + " characters, at " + position);
    }
    try {
      Json number = Json.ofNumber(new BigDecimal(digits));
      position = matcher.end();
      return number;
    } catch (NumberFormatException error) {
      throw new JsonException("the exponent of " + digits + " is too large, at " + position, error);
    }
  }

  private Json readWord(String word, Json value) {
    if (!text.startsWith(word, position)) throw unexpected("a value");
    position += word.length();
    return value;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) position++;
  }

  private boolean isAt(char each) {
    return position < text.length() && text.charAt(position) == each;
  }

  private boolean skip(char each) {
    skipSpace();
    if (!isAt(each)) return false;
    position++;
    return true;
  }

  private void expect(char each) {
    if (!skip(each)) throw unexpected("\"" + each + "\"");
  }

  static JsonException tooDeep() {
    return new JsonException("JSON is nested more than " + MAX_DEPTH + " levels deep");
  }

  private JsonException unexpectedBefore(String expected) {
    position--;
    return unexpected(expected);
  }

  private JsonException unexpected(String expected) {
    String found = position < text.length() ? "\"" + text.charAt(position) + "\"" : "the end";
    return new JsonException(
        "this is not JSON: expected %s at %d, found %s".formatted(expected, position, found));
  }
}
