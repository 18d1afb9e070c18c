package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import dev.suitesimulator.generated.Key;
import dev.suitesimulator.generated.KeyCreate;
import dev.suitesimulator.generated.Operation;
import java.util.List;
import java.util.Map;

/** The keys of a workspace. */
public final class Keys extends Part {
  Keys(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Creates a key for all scopes and interfaces. */
  public Key create() {
    return create(KeyCreate.of(workspaceId));
  }

  /** Creates a key with these scopes: "products:read". */
  public Key create(List<String> scopes) {
    return create(KeyCreate.of(workspaceId).scopes(scopes));
  }

  /** Creates a key: {@code KeyCreate.of(workspace.id()).interfaces(List.of("catalog"))}. */
  public Key create(KeyCreate key) {
    return Key.from(control.call(Operation.CREATE_KEY, Parts.body(key.toJson())));
  }

  /** Lists the keys. */
  public List<Key> list() {
    return control.rows(Operation.LIST_KEYS, Parts.query(Map.of("workspaceId", workspaceId)), Key::from);
  }

  /** Deletes a key. */
  public void delete(String key) {
    control.call(Operation.DELETE_KEY, Parts.path(Map.of("key", key)));
  }
}
