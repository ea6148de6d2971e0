package io.lakestream.cdc.mariadb;

import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.ChecksumType;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;

/**
 * Takes the binlog's events off the connection. Rows stay bytes here: how to read them depends on
 * the table. The client's own readers are not used: they make NULL of dates like 0000-00-00, 1900
 * of the year 0, and decode names in whatever character set the JVM was started with.
 */
final class BinlogEvents extends EventDeserializer {
  // Codes of events.
  static final int QUERY = 2;
  static final int STOP = 3;
  static final int ROTATE = 4;
  static final int INTVAR = 5;
  static final int RAND = 13;
  static final int USER_VAR = 14;
  static final int FORMAT_DESCRIPTION = 15;
  static final int XID = 16;
  static final int BEGIN_LOAD_QUERY = 17;
  static final int EXECUTE_LOAD_QUERY = 18;
  static final int TABLE_MAP = 19;
  static final int WRITE_ROWS = 23;
  static final int UPDATE_ROWS = 24;
  static final int DELETE_ROWS = 25;
  static final int INCIDENT = 26;
  static final int HEARTBEAT = 27;
  static final int WRITE_ROWS_2 = 30;
  static final int UPDATE_ROWS_2 = 31;
  static final int DELETE_ROWS_2 = 32;
  static final int XA_PREPARE = 38;
  static final int ANNOTATE_ROWS = 160;
  static final int BINLOG_CHECKPOINT = 161;
  static final int GTID = 162;
  static final int GTID_LIST = 163;
  static final int START_ENCRYPTION = 164;

  private static final int HEADER_LENGTH = 19;
  private static final int CHECKSUM_LENGTH = 4;

  /** An event as it came. */
  static final class Raw implements EventData {
    private static final long serialVersionUID = 1;

    private final int code;
    private final byte[] body;

    Raw(int code, byte[] body) {
      this.code = code;
      this.body = body;
    }

    /** Kind of event. */
    int code() {
      return code;
    }

    /** Without header and checksum. */
    byte[] body() {
      return body;
    }

    // The client logs events; rows must not get into a log.
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "event %d of %d bytes", code, body.length);
    }
  }

  private int checksumLength;

  /** Set by the client, for the events before the first that says so itself. */
  @Override
  @SuppressWarnings({"deprecation", "InlineMeSuggester"})
  public void setChecksumType(ChecksumType type) {
    checksumLength = type.getLength();
  }

  @Override
  public Event nextEvent(ByteArrayInputStream in) throws IOException {
    if (in.peek() == -1) {
      return null;
    }
    ByteCursor header = new ByteCursor(in.read(HEADER_LENGTH));
    EventHeaderV4 v4 = new EventHeaderV4();
    v4.setTimestamp(header.little(4) * 1000);
    int code = header.unsignedByte();
    v4.setServerId(header.little(4));
    v4.setEventLength(header.little(4));
    v4.setNextPosition(header.little(4));
    v4.setFlags((int) header.little(2));
    int length = Math.toIntExact(v4.getEventLength()) - HEADER_LENGTH;
    if (code == FORMAT_DESCRIPTION) {
      return formatDescription(v4, in.read(length));
    }
    byte[] body = in.read(length - checksumLength);
    in.skip(checksumLength);
    EventType type = code == ROTATE ? EventType.ROTATE : EventType.UNKNOWN;
    v4.setEventType(type);
    return new Event(v4, code == ROTATE ? rotate(body) : new Raw(code, body));
  }

  // Ends in the algorithm of the checksums of what follows, and in its own checksum.
  private Event formatDescription(EventHeaderV4 header, byte[] body) {
    header.setEventType(EventType.FORMAT_DESCRIPTION);
    checksumLength = body[body.length - CHECKSUM_LENGTH - 1] == 0 ? 0 : CHECKSUM_LENGTH;
    return new Event(header, new Raw(FORMAT_DESCRIPTION, body));
  }

  private static RotateEventData rotate(byte[] body) {
    ByteCursor in = new ByteCursor(body);
    RotateEventData data = new RotateEventData();
    data.setBinlogPosition(in.little(8));
    data.setBinlogFilename(in.utf8(body.length - 8));
    return data;
  }
}
