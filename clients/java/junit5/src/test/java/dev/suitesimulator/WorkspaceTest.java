package dev.suitesimulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.suitesimulator.generated.Advance;
import dev.suitesimulator.generated.Advanced;
import dev.suitesimulator.generated.Delivery;
import dev.suitesimulator.generated.DeliveryFilter;
import dev.suitesimulator.generated.Email;
import dev.suitesimulator.generated.EmailFilter;
import dev.suitesimulator.generated.Fault;
import dev.suitesimulator.generated.FaultCreate;
import dev.suitesimulator.generated.FaultRelease;
import dev.suitesimulator.generated.FaultReleased;
import dev.suitesimulator.generated.GroupedHint;
import dev.suitesimulator.generated.InboxEntry;
import dev.suitesimulator.generated.InterfaceAccess;
import dev.suitesimulator.generated.JournalEntry;
import dev.suitesimulator.generated.Key;
import dev.suitesimulator.generated.KeyCreate;
import dev.suitesimulator.generated.Reach;
import dev.suitesimulator.generated.Reached;
import dev.suitesimulator.generated.RecordWithState;
import dev.suitesimulator.generated.RecordingCreate;
import dev.suitesimulator.generated.Redelivery;
import dev.suitesimulator.generated.SampleEvent;
import dev.suitesimulator.generated.RequestFilter;
import dev.suitesimulator.generated.SubscriptionCreate;
import dev.suitesimulator.generated.TimelineFilter;
import dev.suitesimulator.generated.TimelineItem;
import dev.suitesimulator.generated.User;
import dev.suitesimulator.generated.WorkspaceChange;
import dev.suitesimulator.generated.WorkspaceClone;
import dev.suitesimulator.json.Json;
import dev.suitesimulator.json.JsonException;
import dev.suitesimulator.junit5.SuiteSimulatorExtension;
import dev.suitesimulator.junit5.WorkspaceOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SuiteSimulatorExtension.class)
@WorkspaceOptions(fixtures = "small")
class WorkspaceTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  /** Creates a payment link and returns its id. */
  private static String newLink(Workspace workspace) {
    Answer answer =
        workspace.fetch(
            "payments",
            "/payment-links",
            Map.of("amount", 1250, "currency", workspace.currency(), "description", "Standing desk"));
    assertEquals(201, answer.status(), answer::toString);
    return answer.json().get("data").get("id").asString();
  }

  private static SimulatorException errorOf(Runnable call) {
    return assertThrows(SimulatorException.class, call::run);
  }

  @Test
  void reachesAState(Workspace workspace) {
    Reached reached =
        workspace.reach(Reach.of("payments.links", "paid").fields(Map.of("description", "A chair")));
    assertEquals("paid", reached.state());
    assertEquals("A chair", reached.record().get("data").get("description").asString());
    assertEquals(List.of("call", "trigger"), reached.way().stream().map(each -> each.kind()).toList());
  }

  @Test
  void triggersAnActionAndWaitsForTheChange(Workspace workspace) {
    String link = newLink(workspace);
    CompletableFuture<RecordWithState> waiting =
        CompletableFuture.supplyAsync(
            () -> workspace.records().await("payments.links", link, "status", "paid"));
    Json paid = workspace.trigger("payments.link.pay", Map.of("link_id", link));
    assertFalse(paid.get("transaction_id").asString().isEmpty());
    assertEquals("paid", waiting.join().state());
    assertEquals(link, waiting.join().record().get("id").asString());
    assertEquals(
        List.of("create", "pay"), waiting.join().history().stream().map(each -> each.move()).toList());
    assertFalse(workspace.trigger("signage.pairing_code.issue").get("pairing_code").asString().isEmpty());
    assertEquals(2, workspace.records().list("payments.links", 2, null).data().size());
    long count =
        workspace.records().sections().stream()
            .filter(each -> each.section().equals("payments.links"))
            .findFirst()
            .orElseThrow()
            .count();
    assertTrue(count > 2);
  }

  @Test
  void reportsTheConditionWhenAWaitTimesOut(Workspace workspace) {
    String link = newLink(workspace);
    SimulatorException error =
        errorOf(() -> workspace.records().await("payments.links", link, "status", "paid", SHORT));
    assertEquals(SimulatorException.TIMEOUT, error.code());
    assertEquals(
        "Waited 0.05 s for status of payments.links " + link + " to be paid; it is active.",
        error.getMessage());
    DeliveryFilter ofPos = DeliveryFilter.of().interfaceName("pos");
    assertEquals(
        "Waited 0.05 s for 2 deliveries {\"interface\":\"pos\",\"status\":\"delivered\"}; received 0. "
            + "1 subscription is subscribed to any event of pos, but not active; "
            + "the answer 410 of a receiver ends a subscription.",
        errorOf(() -> workspace.deliveries().await(2, ofPos, SHORT)).getMessage());
    assertEquals(
        "timeout", errorOf(() -> workspace.emails().await(1, EmailFilter.of(), Duration.ZERO)).code());
  }

  @Test
  void refusesUnknownTriggersAndInvalidBodies(Workspace workspace) {
    SimulatorException unknown = errorOf(() -> workspace.trigger("payments.link.steal"));
    assertEquals(404, unknown.status());
    assertEquals("not_found", unknown.code());
    SimulatorException invalid =
        errorOf(() -> workspace.trigger("payments.link.pay", Map.of("lnk_id", "x")));
    assertEquals(400, invalid.status());
    assertTrue(invalid.details().stream().anyMatch(each -> each.field().equals("lnk_id")));
  }

  @Test
  void controlsTheClock(SimulatorClock clock) {
    Instant start = Instant.parse("2026-02-01T10:00:00Z");
    assertTrue(clock.freeze(start).frozen());
    assertEquals(start, clock.now());
    Advanced advanced = clock.advance("PT1H");
    assertEquals(start.plusSeconds(3600), advanced.now());
    assertTrue(advanced.complete());
    assertEquals(start.plusSeconds(3660), clock.advance(Duration.ofMinutes(1)).now());
    assertEquals(start.plusSeconds(3661), clock.advance(Advance.of("PT1S").waitMs(0)).now());
    assertEquals(start, clock.set(start).now());
    assertTrue(clock.freeze().frozen());
    assertNotNull(clock.due());
    SimulatorException error = errorOf(() -> clock.advance("an hour"));
    assertEquals(400, error.status());
    assertEquals("duration", error.details().get(0).field());
  }

  @Test
  void listsCallsAndWaitsForThem(Workspace workspace) {
    CompletableFuture<List<JournalEntry>> waiting =
        CompletableFuture.supplyAsync(() -> workspace.requests().await(1, RequestFilter.of().status("4xx")));
    workspace.fetch("catalog", "/products/none");
    JournalEntry refused = waiting.join().get(0);
    assertEquals("catalog", refused.interfaceName());
    assertEquals(404, refused.status());
    assertEquals("GET", refused.method());
    assertTrue(refused.durationMs() >= 0);
    assertEquals(refused.id(), workspace.requests().get(refused.id()).id());
    assertTrue(workspace.requests().curl(refused.id()).startsWith("curl "));
    assertEquals("1.2", workspace.requests().har(refused.id()).get("log").get("version").asString());
    assertEquals(1, workspace.requests().await(1).size());
    workspace.requests().clear();
    assertEquals(List.of(), workspace.requests().list());
  }

  @Test
  void reportsHintsTimelineAndCoverage(Workspace workspace) {
    workspace.fetch("catalog", "/products?colour=red");
    GroupedHint hint = workspace.hints().get(0);
    assertTrue(hint.message().contains("colour"), hint.message());
    assertTrue(workspace.hintsWithAssumptions().size() >= 1);
    TimelineItem item = workspace.timeline(TimelineFilter.of().kind("request").limit(1)).get(0);
    assertTrue(item.title().contains("/products"));
    assertFalse(workspace.timeline().isEmpty());
    assertEquals(
        1,
        workspace.coverage().operations().stream()
            .filter(each -> each.operation().equals("listProducts"))
            .findFirst()
            .orElseThrow()
            .calls());
    assertTrue(workspace.coverage("text").contains("listProducts"));
  }

  @Test
  void searchesAndCounts(Workspace workspace) {
    String link = newLink(workspace);
    assertFalse(workspace.search(link).data().isEmpty());
    assertTrue(workspace.search("no such text").data().isEmpty());
    assertEquals(1, workspace.counts().calls());
  }

  @Test
  void findsRecordsAndChanges(Workspace workspace) {
    String link = newLink(workspace);
    assertEquals("payments.links", workspace.records().find(link).get(0).section());
    assertEquals(link, workspace.records().findText(link.substring(5)).get(0).id());
    assertEquals(1, workspace.changes().summary().added());
    workspace.snapshots().save("before");
    assertEquals(0, workspace.changesSince("before").summary().added());
    workspace.trigger("payments.link.pay", Map.of("link_id", link));
    assertFalse(workspace.changesSince("before").data().isEmpty());
  }

  @Test
  void readsAndClearsTheInbox(Workspace workspace, SimulatorClient simulator) {
    workspace
        .subscriptions()
        .create(SubscriptionCreate.of("pos", simulator.url() + "/_sim/receiver"));
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    InboxEntry entry = workspace.inbox().await(1).get(0);
    assertEquals("sale.completed", entry.event());
    assertTrue(entry.verified());
    workspace.inbox().clear();
    assertTrue(workspace.inbox().list().isEmpty());
  }

  @Test
  void streamsTheTimeline(Workspace workspace) {
    try (TimelineStream stream = workspace.stream()) {
      workspace.fetch("catalog", "/products");
      TimelineItem item = stream.iterator().next();
      assertEquals("request", item.kind());
      assertTrue(item.title().contains("/products"));
    }
  }

  @Test
  void injectsFaultsUntilTheyAreRemoved(Workspace workspace) {
    FaultCreate outage =
        FaultCreate.of().interfaceName("catalog").path("/products").status(503).times(1);
    Fault fault = workspace.faults().add(outage);
    workspace.faults().add(FaultCreate.of().preset("slow"));
    assertEquals(503, workspace.fetch("catalog", "/products").status());
    assertEquals(1, workspace.faults().list().stream().mapToLong(Fault::met).max().orElseThrow());
    workspace.faults().delete(fault.id());
    assertEquals(1, workspace.faults().list().size());
    workspace.faults().clear();
    assertEquals(List.of(), workspace.faults().list());
  }

  @Test
  void holdsCallsUntilTheyAreReleased(Workspace workspace) {
    String fault = workspace.faults().add(FaultCreate.of().hold(true).path("/products")).id();
    CompletableFuture<Answer> first =
        CompletableFuture.supplyAsync(() -> workspace.fetch("catalog", "/products"));
    CompletableFuture<Answer> second =
        CompletableFuture.supplyAsync(() -> workspace.fetch("catalog", "/products"));
    assertEquals(workspace.faults().await(fault, 2), workspace.faults().get(fault).waiting());
    SimulatorException late =
        assertThrows(
            SimulatorException.class, () -> workspace.faults().await(fault, 3, SHORT));
    assertTrue(late.getMessage().contains("for 3 calls that " + fault + " holds; it holds 2"));
    FaultReleased released = workspace.faults().release(fault, FaultRelease.of().count(1));
    assertEquals(new FaultReleased(1, 1), released);
    assertEquals(new FaultReleased(1, 0), workspace.faults().release(fault));
    assertEquals(List.of(200, 200), List.of(first.join().status(), second.join().status()));
  }

  @Test
  void limitsCalls(Workspace workspace) {
    workspace.clock().freeze();
    FaultCreate limit = FaultCreate.of().limit(Map.of("calls", 1, "per", "PT1M"));
    Fault fault = workspace.faults().add(limit.interfaceName("crm"));
    assertEquals(200, workspace.fetch("crm", "/contacts").status());
    assertEquals(429, workspace.fetch("crm", "/contacts").status());
    assertEquals(1, workspace.faults().get(fault.id()).met());
  }

  @Test
  void managesSubscriptions(Workspace workspace) {
    String id =
        workspace
            .subscriptions()
            .create(
                SubscriptionCreate.of("pos", "https://example.com/hooks").events(List.of("sale.completed")))
            .id();
    assertEquals(
        List.of("sale.completed"),
        workspace.subscriptions().list().stream()
            .filter(each -> each.id().equals(id))
            .findFirst()
            .orElseThrow()
            .events());
    workspace.subscriptions().delete(id);
    assertTrue(workspace.subscriptions().list().stream().noneMatch(each -> each.id().equals(id)));
  }

  @Test
  void listsAndRepeatsDeliveries(Workspace workspace, WebhookReceiver receiver) {
    receiver.subscribe(workspace, "pos", "sale.completed");
    workspace.trigger("pos.event.emit", Map.of("event", "sale.completed"));
    Delivery delivery = workspace.deliveries().await(1).get(0);
    assertEquals(200L, delivery.attempts().get(0).status());
    assertNull(delivery.nextAttemptAt());
    assertEquals("sale.completed", delivery.payload().get("event").asString());
    workspace.deliveries().redeliver(delivery.id());
    assertEquals(2, receiver.await(2).size());
    assertEquals(1, workspace.deliveries().list().size());
    assertEquals(0, workspace.deliveries().redeliverAll());
    workspace.deliveries().await(1);
    assertEquals(1, workspace.deliveries().redeliverAll(Redelivery.of().status("delivered")));
    assertEquals(3, receiver.await(3).size());
    SampleEvent event = SampleEvent.of("pos", "sale.completed");
    assertEquals(1, workspace.deliveries().sample(event).deliveries().size());
    assertEquals(4, receiver.await(4).size());
  }

  @Test
  void savesSnapshots(Workspace workspace) {
    Snapshots snapshots = workspace.snapshots();
    assertEquals("before", snapshots.save("before").name());
    assertEquals(1, snapshots.list().size());
    String link = newLink(workspace);
    Json whole = snapshots.get();
    snapshots.restore("before");
    assertEquals(404, errorOf(() -> workspace.records().get("payments.links", link)).status());
    snapshots.put(whole);
    assertEquals("active", workspace.records().get("payments.links", link).state());
    snapshots.delete("before");
    assertEquals(List.of(), snapshots.list());
  }

  @Test
  void recordsWhatChangesIt(Workspace workspace) {
    StartedRecording recording = workspace.record(RecordingCreate.of().name("A link"));
    newLink(workspace);
    assertEquals("recording", recording.get().status());
    Json file = recording.stop();
    assertEquals(1, file.get("steps").items().size());
    assertEquals("A link", workspace.recordings().list().get(0).name());
    assertEquals(file.toString(), workspace.recordings().stop(recording.id()).toString());
    recording.delete();
    assertEquals(List.of(), workspace.recordings().list());
    workspace.record().delete();
  }

  @Test
  void waitsForEmailsAndReadsThem(Workspace workspace) {
    String vacancy = post(workspace, "/vacancies", Map.of("title", "Joiner", "status", "published"));
    Json applied =
        workspace.trigger(
            "recruiting.candidate.apply",
            Map.of("vacancy_id", vacancy, "name", "Ana", "email", "ana@example.net"));
    Map<String, ?> interview =
        Map.of(
            "vacancy_id", vacancy,
            "candidate_id", applied.get("candidate_id"),
            "type", "video_platform",
            "scheduled_at", workspace.clock().now().plus(Duration.ofDays(1)),
            "interviewers", List.of(Map.of("name", "Marco Vega", "email", "marco@example.net")));
    post(workspace, "/interviews", interview);
    Email email = workspace.emails().await(1, EmailFilter.of().to("marco@example.net")).get(0);
    assertEquals("marco@example.net", workspace.emails().get(email.id()).to());
    assertTrue(workspace.emails().eml(email.id()).contains("To: marco@example.net"));
    byte[] calendar = workspace.emails().attachment(email.id(), 0);
    assertTrue(new String(calendar, StandardCharsets.UTF_8).startsWith("BEGIN:VCALENDAR"));
    assertFalse(workspace.emails().list().isEmpty());
  }

  private static String post(Workspace workspace, String path, Map<String, ?> body) {
    Answer answer = workspace.fetch("recruiting", path, body);
    assertEquals(201, answer.status(), answer::toString);
    return answer.json().get("id").asString();
  }

  @Test
  void changesResetsAndClonesAWorkspace(SimulatorClient simulator, NewWorkspace workspace) {
    assertEquals("manual", workspace.update(WorkspaceChange.of().progression("manual")).progression());
    String link = newLink(workspace);
    try (NewWorkspace clone = workspace.cloneWorkspace(WorkspaceClone.of().name("Twin"))) {
      assertEquals("Twin", clone.name());
      assertNotNull(clone.user().id());
      assertEquals("active", clone.records().get("payments.links", link).state());
    }
    workspace.reset();
    assertEquals(404, errorOf(() -> workspace.records().get("payments.links", link)).status());
    assertEquals(workspace.id(), workspace.get().id());
    workspace.close();
    workspace.close();
    assertEquals("not_found", errorOf(() -> simulator.workspaces().get(workspace.id())).code());
  }

  @Test
  void findsAWorkspaceWithAKeyThatHasAllPermissions(SimulatorClient simulator, Workspace workspace) {
    workspace.keys().delete(workspace.key());
    Key narrow = workspace.keys().create(KeyCreate.of(workspace.id()).interfaces(List.of("pos")));
    Key scoped = workspace.keys().create(List.of("products:read"));
    Workspace found = simulator.workspaces().get(workspace.id());
    assertTrue(List.of(workspace.key(), narrow.key(), scoped.key()).stream().noneMatch(found.key()::equals));
    assertEquals(200, found.fetch("catalog", "/products").status());
    assertEquals(3, workspace.keys().list().size());
    User user = workspace.users().create("Ana", "ana@example.com");
    assertEquals("Ana", user.name());
  }

  @ParameterizedTest
  @EnumSource
  void sendsTheKeyToEachInterface(InterfaceAccess access, Workspace workspace) {
    String name = access.title();
    assertEquals(1, workspace.headersOf(name).size());
    assertTrue(workspace.urlOf(name).endsWith(access.basePath()));
    workspace.fetch(name, "/");
    JournalEntry entry = workspace.requests().await(1, RequestFilter.of().interfaceName(name)).get(0);
    assertNotNull(entry.caller(), "the key of " + name + " was not recognized");
  }

  @Test
  void callsInterfacesWithAnyMethodHeaderAndBody(Workspace workspace) {
    Answer created =
        workspace.fetch(
            "catalog",
            "/products",
            InterfaceCall.of("POST")
                .header("x-request-id", "one")
                .json(Map.of("name", "Standing desk", "type", "physical", "basePrice", "449.00")));
    assertEquals(201, created.status(), created::toString);
    assertTrue(created.header("Content-Type").orElseThrow().startsWith("application/json"));
    assertTrue(created.bytes().length > 0);
    JournalEntry entry = workspace.requests().list(RequestFilter.of().limit(1)).get(0);
    assertEquals("one", entry.request().headers().get("x-request-id"));
    assertEquals("449.00", entry.request().body().get("basePrice").asString());
    InterfaceCall withOtherKey = InterfaceCall.of("GET").header("authorization", "Bearer other");
    assertEquals(401, workspace.fetch("catalog", "/products", withOtherKey).status());
    assertEquals(401, workspace.withKey("other").fetch("catalog", "/products").status());
    assertThrows(JsonException.class, () -> workspace.fetch("forms", "/nowhere/at/all").json().get("none"));
  }

  @Test
  void suggestsTheNearestInterface(Workspace workspace) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> workspace.urlOf("payment")).getMessage();
    assertEquals("there is no interface \"payment\"; did you mean \"payments\"?", message);
    String unknown = assertThrows(IllegalArgumentException.class, () -> workspace.urlOf("x")).getMessage();
    assertTrue(unknown.contains("the interfaces are catalog, crm"), unknown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"products", "", "/../../_sim/reset", "/products/..", "/products/%2E%2e/x", "/a\\..\\b"})
  void refusesPathsThatLeadElsewhere(String path, Workspace workspace) {
    assertThrows(IllegalArgumentException.class, () -> workspace.fetch("catalog", path));
    assertEquals(List.of(), workspace.requests().list());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "\ud800"})
  void refusesIdsThatAreNoSegment(String id, Workspace workspace) {
    SimulatorException error = errorOf(() -> workspace.snapshots().restore(id));
    assertEquals("validation_error", error.code());
    assertNull(error.status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"...", "..%2f..", "../..", "a b", "%2e%2e", "é/😀"})
  void sendsIdsThatOnlyLookLikeAPath(String id, Workspace workspace) {
    SimulatorException error = errorOf(() -> workspace.snapshots().restore(id));
    assertEquals("not_found", error.code());
    assertEquals(404, error.status());
  }

  @Test
  void tellsWhatAScreenPlays(Workspace workspace) {
    String screen = workspace.records().list("signage.screens", 1, null).data().get(0).get("id").asString();
    assertEquals(screen, workspace.screenNow(screen).screenId());
  }

  @Test
  void pagesThroughRecords(Workspace workspace) {
    var first = workspace.records().list("signage.media", 1, null);
    var second = workspace.records().list("signage.media", 1, first.nextCursor());
    assertEquals(
        2,
        List.of(first, second).stream()
            .map(page -> page.data().get(0).get("id").asString())
            .collect(Collectors.toSet())
            .size());
    assertFalse(workspace.records().list("signage.media").data().isEmpty());
  }
}
