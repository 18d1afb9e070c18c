package dev.suitesimulator;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of webhooks. All interfaces sign in the same way. */
public final class WebhookSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /**
   * Checks a signature in constant time.
   *
   * @param body the received bytes
   * @param signature the header X-Service-Signature: "sha256=" and the hex HMAC-SHA256 of the bytes; may be
   *     null
   * @param secret the secret of the subscription
   */
  public static boolean isValid(byte[] body, String signature, String secret) {
    if (signature == null) return false;
    return MessageDigest.isEqual(
        of(body, secret).getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the signature of a body, to test your own receiver. */
  public static String of(byte[] body, String secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException("Every JDK has " + ALGORITHM + ".", error);
    }
  }
}
