package dev.suitesimulator.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "false",
        "0",
        "-0.5",
        "12345678901234567890.12345678901234567890",
        "\"\"",
        "\"a\\\"b\\\\c\\n\\t\\u0001é😀\"",
        "\"\\ud800\"",
        "[]",
        "{}",
        "[1,[2,{\"a\":null}],\"x\"]",
        "{\"b\":1,\"a\":{\"c\":[true,false]}}"
      })
  void writesWhatItParsed(String text) {
    assertEquals(text, Json.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "nul",
        "truex",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        "NaN",
        "0x1",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123\"",
        "\"\\u١١١١\"",
        "\"a\nb\"",
        "[",
        "[1",
        "[1,]",
        "[1 2]",
        "{",
        "{a:1}",
        "{\"a\"}",
        "{\"a\":1,}",
        "{\"a\":1}}",
        "1 2",
        "1e99999999999"
      })
  void refusesWhatIsNotJson(String text) {
    assertThrows(JsonException.class, () -> Json.parse(text));
  }

  @Test
  void namesThePositionOfAnError() {
    String message = assertThrows(JsonException.class, () -> Json.parse("{\"a\": 1,}")).getMessage();
    assertEquals("this is not JSON: expected the name of a field in quotes at 8, found \"}\"", message);
  }

  @Test
  void readsSpacesAndEscapes() {
    Json json = Json.parse(" { \"a\" :\t[ 1 ,\r\n\"\\u00e9\\/\\b\\f\\uD83D\\uDE00\" ] } ");
    assertEquals("é/\b\f😀", json.get("a").get(1).asString());
  }

  @Test
  void takesTheLastOfSeveralFieldsWithTheSameName() {
    assertEquals(2, Json.parse("{\"a\":1,\"a\":2}").get("a").asInt());
  }

  @Test
  void boundsTheDepth() {
    assertEquals("[".repeat(1_000) + "]".repeat(1_000), nested(1_000).toString());
    assertThrows(JsonException.class, () -> nested(1_001));
    assertThrows(JsonException.class, () -> Json.parse("{\"a\":".repeat(100_000)));
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThrows(JsonException.class, () -> Json.of(endless));
  }

  private static Json nested(int depth) {
    return Json.parse("[".repeat(depth) + "]".repeat(depth));
  }

  @Test
  void boundsTheLengthOfNumbers() {
    assertEquals(1_000, Json.parse("1".repeat(1_000)).asDecimal().precision());
    assertThrows(JsonException.class, () -> Json.parse("1".repeat(1_001)));
  }

  @Test
  void keepsNumbersExact() {
    assertEquals(new BigDecimal("0.1"), Json.parse("0.1").asDecimal());
    assertEquals(Long.MAX_VALUE, Json.parse("9223372036854775807").asLong());
    assertEquals(449, Json.parse("449.00").asLong());
    assertEquals(1_000, Json.parse("1e3").asInt());
    assertEquals(0.25, Json.of(0.25).asDouble());
    assertThrows(JsonException.class, () -> Json.parse("9223372036854775808").asLong());
    assertThrows(JsonException.class, () -> Json.parse("2147483648").asInt());
    assertThrows(JsonException.class, () -> Json.parse("1.5").asLong());
    assertThrows(JsonException.class, () -> Json.parse("1e999999999").asLong());
    assertThrows(JsonException.class, () -> Json.of(Double.NaN));
  }

  @Test
  void comparesValues() {
    assertEquals(Json.parse("{\"a\":1,\"b\":[null]}"), Json.parse("{\"b\":[null],\"a\":1.0}"));
    assertEquals(Json.parse("100").hashCode(), Json.parse("1e2").hashCode());
    assertNotEquals(Json.parse("[1,2]"), Json.parse("[2,1]"));
    assertNotEquals(Json.of("1"), Json.of(1));
    assertNotEquals(Json.NULL, Json.of("null"));
  }

  @Test
  void readsFieldsAndItems() {
    Json json =
        Json.parse("{\"id\":\"a\",\"none\":null,\"items\":[1,2],\"at\":\"2026-02-01T10:00:00.000Z\"}");
    assertEquals("a", json.get("id").asString());
    assertTrue(json.get("none").isNull());
    assertTrue(json.find("none").isEmpty());
    assertTrue(json.find("other").isEmpty());
    assertEquals(List.of(1L, 2L), json.get("items").list(Json::asLong));
    assertEquals(Instant.parse("2026-02-01T10:00:00Z"), json.get("at").asInstant());
    assertEquals(
        "there is no field ids in {\"id\":\"a\"}", messageOf(() -> Json.object("id", "a").get("ids")));
    assertEquals("there is no item 2 in an array of 2", messageOf(() -> json.get("items").get(2)));
    assertEquals("expected a string, found [1,2]", messageOf(() -> json.get("items").asString()));
    assertEquals("expected a date-time, found \"a\"", messageOf(() -> json.get("id").asInstant()));
  }

  private static String messageOf(Runnable read) {
    return assertThrows(JsonException.class, read::run).getMessage();
  }

  @Test
  void makesJsonOfJavaValues() {
    Map<String, ?> map = Map.of("d", new BigDecimal("1.50"));
    Json json = Json.object("a", 1, "b", Json.array("x", null, true), "c", map);
    assertEquals("{\"a\":1,\"b\":[\"x\",null,true],\"c\":{\"d\":1.50}}", json.toString());
    assertEquals(json, Json.of(json));
    assertThrows(JsonException.class, () -> Json.object("a"));
  }

  @Test
  void cannotBeChanged() {
    List<Object> items = new ArrayList<>(List.of(1));
    Json json = Json.of(items);
    items.add(2);
    assertEquals("[1]", json.toString());
    assertThrows(UnsupportedOperationException.class, () -> json.items().clear());
    assertFalse(json.isObject());
  }
}
