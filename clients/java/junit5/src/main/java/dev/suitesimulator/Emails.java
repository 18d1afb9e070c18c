package dev.suitesimulator;

import dev.suitesimulator.generated.Email;
import dev.suitesimulator.generated.EmailFilter;
import dev.suitesimulator.generated.Operation;
import dev.suitesimulator.generated.WholeEmail;
import dev.suitesimulator.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The e-mails that the suite would have sent. */
public final class Emails extends Part {
  Emails(ControlPlane control, String workspaceId) {
    super(control, workspaceId);
  }

  /** Lists the newest e-mails. */
  public List<Email> list() {
    return list(Map.of());
  }

  /** Lists e-mails, newest first. */
  public List<Email> list(EmailFilter filter) {
    return list(filter.toMap());
  }

  private List<Email> list(Map<String, ?> query) {
    return answer(query).get("data").list(Email::from);
  }

  private Json answer(Map<String, ?> query) {
    return control.call(Operation.LIST_EMAILS, at().withQuery(query));
  }

  /** Returns as soon as this number of e-mails exists, newest first. Waits up to ten seconds. */
  public List<Email> await(int count) {
    return await(count, EmailFilter.of());
  }

  /** Returns as soon as this number of matching e-mails exists. */
  public List<Email> await(int count, EmailFilter filter) {
    return await(count, filter, Waiting.DEFAULT_TIMEOUT);
  }

  /**
   * Returns as soon as this number of matching e-mails exists.
   *
   * @throws SimulatorException with the code "timeout", and the number of those that match
   */
  public List<Email> await(int count, EmailFilter filter, Duration timeout) {
    return Waiting.rows(count, timeout, filter.toMap(), "e-mails", this::answer, Email::from);
  }

  /** Returns a whole e-mail with its HTML. */
  public WholeEmail get(String emailId) {
    return WholeEmail.from(control.call(Operation.GET_EMAIL, at("emailId", emailId)));
  }

  /** Returns an e-mail in the format of mail programs (RFC 822). */
  public String eml(String emailId) {
    return control.text(Operation.GET_EMAIL_FILE, at("emailId", emailId));
  }

  /**
   * Returns the bytes of an attachment.
   *
   * @param index the position of the attachment, from 0
   */
  public byte[] attachment(String emailId, int index) {
    return control.bytes(Operation.GET_EMAIL_ATTACHMENT, at("emailId", emailId, "index", index));
  }
}
