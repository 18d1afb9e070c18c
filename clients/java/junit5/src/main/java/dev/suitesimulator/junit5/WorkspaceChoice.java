package dev.suitesimulator.junit5;

import dev.suitesimulator.generated.WorkspaceCreate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The options of the workspace of one test, from its annotations. */
final class WorkspaceChoice {
  /** The longest name that the server accepts. */
  private static final int LONGEST_NAME = 200;

  private WorkspaceChoice() {}

  /** Applies the annotations, outermost first, to the options of the extension. */
  static WorkspaceCreate of(ExtensionContext context, UnaryOperator<WorkspaceCreate> defaults) {
    WorkspaceCreate options = defaults.apply(WorkspaceCreate.of().name(nameOf(context)));
    for (WorkspaceOptions each : annotations(context)) apply(each, options);
    return options;
  }

  /**
   * Returns class and test, without half surrogate pairs and control characters, which the server refuses.
   */
  private static String nameOf(ExtensionContext context) {
    String name = context.getRequiredTestClass().getSimpleName() + ": " + context.getDisplayName();
    String cut = name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    String encodable = new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    return encodable.replaceAll("\\p{Cntrl}", " ");
  }

  private static void apply(WorkspaceOptions annotation, WorkspaceCreate options) {
    if (!annotation.fixtures().isEmpty()) options.fixtures(annotation.fixtures());
    if (!annotation.currency().isEmpty()) options.currency(annotation.currency());
    if (!annotation.timezone().isEmpty()) options.timezone(annotation.timezone());
    if (!annotation.name().isEmpty()) options.name(annotation.name());
  }

  /** Returns the annotations of the method, its class and the enclosing classes, outermost first. */
  private static List<WorkspaceOptions> annotations(ExtensionContext context) {
    List<WorkspaceOptions> found = new ArrayList<>();
    AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), WorkspaceOptions.class)
        .ifPresent(found::add);
    Optional<Class<?>> type = context.getTestClass();
    for (Class<?> each = type.orElse(null); each != null; each = each.getEnclosingClass()) {
      AnnotationSupport.findAnnotation(each, WorkspaceOptions.class).ifPresent(found::add);
    }
    Collections.reverse(found);
    return found;
  }
}
