package dev.suitesimulator;

import dev.suitesimulator.ControlPlane.Parts;
import java.util.LinkedHashMap;
import java.util.Map;

/** The base class of the parts of a workspace. */
abstract class Part {
  final ControlPlane control;
  final String workspaceId;

  Part(ControlPlane control, String workspaceId) {
    this.control = control;
    this.workspaceId = workspaceId;
  }

  /** Returns the path parameter of the workspace. */
  Parts at() {
    return Parts.path(Map.of("id", workspaceId));
  }

  /** Returns the path parameters of the workspace and of something in it. */
  Parts at(String name, Object value) {
    return at(name, value, null, null);
  }

  Parts at(String name, Object value, String second, Object secondValue) {
    Map<String, Object> path = new LinkedHashMap<>();
    path.put("id", workspaceId);
    path.put(name, value);
    if (second != null) path.put(second, secondValue);
    return Parts.path(path);
  }
}
