package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import dev.suitesimulator.generated.CreatedWorkspace;
import dev.suitesimulator.generated.DeletedWorkspaces;
import dev.suitesimulator.generated.Key;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.WorkspaceCreate;
import dev.suitesimulator.generated.WorkspaceSettings;
import java.util.List;
import java.util.Map;

/** The workspaces of a simulator. */
public final class Workspaces {
  private final ControlPlane control;

  Workspaces(ControlPlane control) {
    this.control = control;
  }

  /** Creates an empty workspace with a user and a key. */
  public NewWorkspace create() {
    return create(WorkspaceCreate.of());
  }

  /** Creates a workspace: {@code create(WorkspaceCreate.of().fixtures("demo").currency("PAB"))}. */
  public NewWorkspace create(WorkspaceCreate options) {
    return new NewWorkspace(
        control,
        CreatedWorkspace.from(control.call(Operation.CREATE_WORKSPACE, Parts.body(options.toJson()))));
  }

  /** Lists all workspaces. */
  public List<WorkspaceSettings> list() {
    return control.rows(Operation.LIST_WORKSPACES, Parts.NONE, WorkspaceSettings::from);
  }

  /** Lists the workspaces with these labels: {@code list(Map.of("team", "checkout"))}. */
  public List<WorkspaceSettings> list(Map<String, String> labels) {
    return control.rows(Operation.LIST_WORKSPACES, with(labels), WorkspaceSettings::from);
  }

  /** Deletes all workspaces with these labels; returns their number. Refused without a label. */
  public long deleteAll(Map<String, String> labels) {
    return DeletedWorkspaces.from(control.call(Operation.DELETE_WORKSPACES, with(labels))).count();
  }

  private static Parts with(Map<String, String> labels) {
    List<String> texts =
        labels.entrySet().stream().map(each -> each.getKey() + ":" + each.getValue()).toList();
    return Parts.query(Map.of("label", texts));
  }

  /**
   * Returns an existing workspace with a key for all interfaces and scopes. Creates such a key if none
   * exists.
   */
  public Workspace get(String id) {
    WorkspaceSettings settings =
        WorkspaceSettings.from(control.call(Operation.GET_WORKSPACE, Parts.path(Map.of("id", id))));
    Keys keys = new Keys(control, id);
    String key =
        keys.list().stream()
            .filter(each -> each.scopes().contains("*") && each.interfaces().contains("*"))
            .filter(each -> each.expiresAt() == null)
            .findFirst()
            .orElseGet(keys::create)
            .key();
    return new Workspace(control, settings, key);
  }

  /** Deletes a workspace with all its data. */
  public void delete(String id) {
    control.call(Operation.DELETE_WORKSPACE, Parts.path(Map.of("id", id)));
  }
}
