package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import dev.suitesimulator.generated.Key;
import dev.suitesimulator.generated.KeyCreate;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.WorkspaceKeyCreate;
import java.util.List;

/** The keys of a workspace. */
public final class Keys extends Part {
  Keys(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Creates a key for all scopes and interfaces. */
  public Key create() {
    return create(WorkspaceKeyCreate.of());
  }

  /** Creates a key with these scopes: "products:read". */
  public Key create(List<String> scopes) {
    return create(WorkspaceKeyCreate.of().scopes(scopes));
  }

  /** Creates a key: {@code WorkspaceKeyCreate.of().interfaces(List.of("catalog"))}. */
  public Key create(WorkspaceKeyCreate key) {
    return Key.from(control.call(Operation.CREATE_WORKSPACE_KEY, at().withBody(key.toJson())));
  }

  /** Creates a key of any workspace, which a control token cannot. */
  public Key create(KeyCreate key) {
    return Key.from(control.call(Operation.CREATE_KEY, Parts.body(key.toJson())));
  }

  /** Lists the keys. */
  public List<Key> list() {
    return control.rows(Operation.LIST_WORKSPACE_KEYS, at(), Key::from);
  }

  /** Deletes a key. */
  public void delete(String key) {
    control.call(Operation.DELETE_WORKSPACE_KEY, at("key", key));
  }
}
