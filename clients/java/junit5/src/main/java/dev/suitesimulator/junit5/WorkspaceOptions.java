package dev.suitesimulator.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The options of the workspace of each test. Those of a method have priority over those of its class, and
 * these over those of an enclosing class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface WorkspaceOptions {
  /** The records at the start: "none" (the default), "small" or "demo". */
  String fixtures() default "";

  /** An ISO 4217 currency code: "PAB". */
  String currency() default "";

  /** An IANA time zone: "America/Panama". */
  String timezone() default "";

  /** The name; the name of the test by default. */
  String name() default "";
}
