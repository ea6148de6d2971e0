package io.lakestream.cdc.decode;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries objects of one capture session to the classes that Debezium instantiates by name: it
 * hands those nothing but texts, so the text is the ID of a context.
 */
public final class CaptureContext implements AutoCloseable {
  /** Property of the Debezium configuration that holds {@link #id}. */
  public static final String PROPERTY = "lakestream.context";

  private static final Map<String, CaptureContext> OPEN = new ConcurrentHashMap<>();
  private static final AtomicLong NEXT = new AtomicLong();

  private final String id = "context-" + NEXT.incrementAndGet();
  private final Object offsets;
  private Object attachment;

  private CaptureContext(Object offsets) {
    this.offsets = offsets;
  }

  /**
   * Opens a context.
   *
   * @param offsets what keeps Debezium's offsets
   */
  public static CaptureContext open(Object offsets) {
    CaptureContext context = new CaptureContext(offsets);
    OPEN.put(context.id, context);
    return context;
  }

  /** The context that a Debezium configuration names. */
  public static CaptureContext of(Map<String, ?> configuration) {
    CaptureContext context = OPEN.get(String.valueOf(configuration.get(PROPERTY)));
    if (context == null) {
      throw new LakestreamException(
          ErrorCode.INTERNAL, "Cannot start capture: its session is closed or was never opened");
    }
    return context;
  }

  public String id() {
    return id;
  }

  /** What keeps Debezium's offsets; the class that put it in knows its type. */
  public Object offsets() {
    return offsets;
  }

  /** Keeps an object for the source's own stream. */
  public void attach(Object object) {
    attachment = object;
  }

  /** What was attached; the class that put it in knows its type. */
  public Object attachment() {
    return attachment;
  }

  @Override
  public void close() {
    OPEN.remove(id);
  }
}
