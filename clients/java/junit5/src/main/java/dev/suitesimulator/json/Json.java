package dev.suitesimulator.json;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A JSON value, which cannot be changed. Numbers are exact. Two values are equal if they are the same JSON: 1
 * and 1.0 are equal, and the order of fields does not matter.
 */
public final class Json {
  /** The value null. */
  public static final Json NULL = new Json(null);

  /** Null, a Boolean, a String, a BigDecimal, a List of Json or a Map of String to Json. */
  private final Object value;

  private Json(Object value) {
    this.value = value;
  }

  /**
   * Parses a text.
   *
   * @throws JsonException if it is not JSON, or if it is nested more than 1,000 levels deep
   */
  public static Json parse(String text) {
    return new JsonParser(text).parse();
  }

  /**
   * Returns a Java value as JSON: null, a Json, String, Boolean, Number, Map or Iterable. Anything else
   * becomes its text.
   *
   * @throws JsonException if a number is not finite, or if the value is nested more than 1,000 levels deep
   */
  public static Json of(Object value) {
    return of(value, 0);
  }

  /**
   * Returns an object: {@code Json.object("amount", 1250, "currency", "USD")}.
   *
   * @param namesAndValues the name and the value of each field in turn
   */
  public static Json object(Object... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new JsonException("Json.object() needs a value after each name");
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int index = 0; index < namesAndValues.length; index += 2) {
      fields.put(String.valueOf(namesAndValues[index]), namesAndValues[index + 1]);
    }
    return of(fields);
  }

  /** Returns an array: {@code Json.array("a", 1, true)}. */
  public static Json array(Object... values) {
    // Not List.of(), which refuses null.
    return of(Arrays.asList(values));
  }

  private static Json of(Object value, int depth) {
    if (depth > JsonParser.MAX_DEPTH) throw JsonParser.tooDeep();
    if (value == null) return NULL;
    if (value instanceof Json json) return json;
    if (value instanceof Boolean) return new Json(value);
    if (value instanceof Number number) return new Json(decimalOf(number));
    if (value instanceof Map<?, ?> map) {
      Map<String, Json> fields = new LinkedHashMap<>();
      map.forEach((name, each) -> fields.put(String.valueOf(name), of(each, depth + 1)));
      return ofFields(fields);
    }
    if (value instanceof Iterable<?> iterable) {
      List<Json> items = new ArrayList<>();
      iterable.forEach(each -> items.add(of(each, depth + 1)));
      return ofItems(items);
    }
    return new Json(value.toString());
  }

  private static BigDecimal decimalOf(Number number) {
    if (number instanceof BigDecimal decimal) return decimal;
    try {
      return new BigDecimal(number.toString());
    } catch (NumberFormatException error) {
      throw new JsonException(number + " can't be written as JSON", error);
    }
  }

  static Json ofText(String text) {
    return new Json(text);
  }

  static Json ofNumber(BigDecimal number) {
    return new Json(number);
  }

  static Json ofBoolean(boolean isTrue) {
    return new Json(isTrue);
  }

  static Json ofFields(Map<String, Json> fields) {
    return new Json(Collections.unmodifiableMap(fields));
  }

  static Json ofItems(List<Json> items) {
    return new Json(Collections.unmodifiableList(items));
  }

  /** Returns true for null. */
  public boolean isNull() {
    return value == null;
  }

  /** Returns true for an object. */
  public boolean isObject() {
    return value instanceof Map;
  }

  /** Returns true for an array. */
  public boolean isArray() {
    return value instanceof List;
  }

  /** Returns true for a string. */
  public boolean isString() {
    return value instanceof String;
  }

  /**
   * Returns a field of an object, which may be null.
   *
   * @throws JsonException if the value is not an object or has no such field; the message lists the fields
   */
  public Json get(String name) {
    Json found = fields().get(name);
    if (found == null) throw new JsonException("there is no field " + name + " in " + shortened());
    return found;
  }

  /**
   * Returns an item of an array.
   *
   * @param index the position, from 0
   * @throws JsonException if the value is not an array or has fewer items
   */
  public Json get(int index) {
    List<Json> items = items();
    if (index < 0 || index >= items.size()) {
      throw new JsonException("there is no item " + index + " in an array of " + items.size());
    }
    return items.get(index);
  }

  /** Returns a field of an object; empty if it is missing or null. */
  public Optional<Json> find(String name) {
    return Optional.ofNullable(fields().get(name)).filter(found -> !found.isNull());
  }

  /** Returns the fields of an object in order. */
  public Map<String, Json> fields() {
    if (!(value instanceof Map)) throw wrongType("an object");
    @SuppressWarnings("unchecked")
    Map<String, Json> fields = (Map<String, Json>) value;
    return fields;
  }

  /** Returns the items of an array. */
  public List<Json> items() {
    if (!(value instanceof List)) throw wrongType("an array");
    @SuppressWarnings("unchecked")
    List<Json> items = (List<Json>) value;
    return items;
  }

  /** Returns the items of an array, each as the result of a function: {@code json.list(Json::asString)}. */
  public <T> List<T> list(Function<Json, T> read) {
    List<T> items = new ArrayList<>();
    for (Json each : items()) items.add(read.apply(each));
    return Collections.unmodifiableList(items);
  }

  /** Returns the fields of an object, each value as the result of a function. */
  public <T> Map<String, T> map(Function<Json, T> read) {
    Map<String, T> fields = new LinkedHashMap<>();
    fields().forEach((name, each) -> fields.put(name, read.apply(each)));
    return Collections.unmodifiableMap(fields);
  }

  /** Returns a string. */
  public String asString() {
    if (value instanceof String text) return text;
    throw wrongType("a string");
  }

  /** Returns true or false. */
  public boolean asBoolean() {
    if (value instanceof Boolean isTrue) return isTrue;
    throw wrongType("true or false");
  }

  /** Returns a number with all its digits. */
  public BigDecimal asDecimal() {
    if (value instanceof BigDecimal number) return number;
    throw wrongType("a number");
  }

  /** Returns a whole number. */
  public long asLong() {
    try {
      return asDecimal().longValueExact();
    } catch (ArithmeticException error) {
      throw wrongType("a whole number of 64 bits");
    }
  }

  /** Returns a whole number. */
  public int asInt() {
    try {
      return asDecimal().intValueExact();
    } catch (ArithmeticException error) {
      throw wrongType("a whole number of 32 bits");
    }
  }

  /** Returns the nearest floating-point number. */
  public double asDouble() {
    return asDecimal().doubleValue();
  }

  /** Returns a date-time with an offset: "2026-01-31T09:30:00.000Z". */
  public Instant asInstant() {
    try {
      return OffsetDateTime.parse(asString()).toInstant();
    } catch (DateTimeException error) {
      throw wrongType("a date-time");
    }
  }

  /** Returns the text of a string, and the JSON of any other value. */
  public String asText() {
    return value instanceof String text ? text : toString();
  }

  private JsonException wrongType(String type) {
    return new JsonException("expected " + type + ", found " + shortened());
  }

  private String shortened() {
    String text = toString();
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Json json)) return false;
    if (value instanceof BigDecimal one && json.value instanceof BigDecimal another) {
      return one.compareTo(another) == 0;
    }
    return value == null ? json.value == null : value.equals(json.value);
  }

  @Override
  public int hashCode() {
    if (value instanceof BigDecimal number) return number.stripTrailingZeros().hashCode();
    return value == null ? 0 : value.hashCode();
  }

  /** Returns the JSON text without spaces. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    writeTo(text);
    return text.toString();
  }

  void writeTo(StringBuilder text) {
    JsonWriter.write(value, text);
  }
}
