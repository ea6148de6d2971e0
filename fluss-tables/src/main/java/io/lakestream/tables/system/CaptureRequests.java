package io.lakestream.tables.system;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import java.util.List;
import java.util.Optional;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataTypes;

/**
 * What users ask of whoever captures a source, and the answers. Only capture writes its tables, so
 * that a request of another process waits here until capture has carried it out. For one thread.
 */
public final class CaptureRequests implements AutoCloseable {
  /** What can be asked. */
  public enum Kind {
    /** Read rows in quarantine from the source again. */
    RETRY,
    /** Forget rows in quarantine. */
    DROP
  }

  /**
   * One request.
   *
   * @param source name of the source
   * @param id unique among the requests of the source
   * @param kind name of a {@link Kind}
   * @param table {@code <schema>.<table>}
   * @param key of the row as quarantine has it; empty for all rows of the table
   * @param answer of capture; empty until it is carried out
   */
  public record Request(
      String source, String id, Kind kind, String table, String key, String answer) {}

  private static final String TABLE = "requests";
  private static final int MAX_LISTED = 1_000;

  private final Table table;
  private final UpsertWriter writer;

  private CaptureRequests(Table table) {
    this.table = table;
    this.writer = table.newUpsert().createWriter();
  }

  public static CaptureRequests open(FlussTables tables) {
    TablePath path =
        SystemTables.ensureKeyed(
            tables,
            TABLE,
            List.of(
                new DataField("source", DataTypes.STRING().copy(false)),
                new DataField("id", DataTypes.STRING().copy(false)),
                new DataField("kind", DataTypes.STRING()),
                new DataField("table", DataTypes.STRING()),
                new DataField("key", DataTypes.STRING()),
                new DataField("answer", DataTypes.STRING())),
            List.of("source", "id"));
    return new CaptureRequests(tables.openTable(path));
  }

  /** Asks, or answers; durable on return. */
  public void put(Request request) {
    var written =
        writer.upsert(
            GenericRow.of(
                BinaryString.fromString(request.source()),
                BinaryString.fromString(request.id()),
                BinaryString.fromString(request.kind().name()),
                BinaryString.fromString(request.table()),
                BinaryString.fromString(request.key()),
                BinaryString.fromString(request.answer())));
    SystemTables.finish(writer, written, "write a request to capture of " + request.source());
  }

  /** Answers a request; durable on return. */
  public void answer(Request request, String answer) {
    put(
        new Request(
            request.source(),
            request.id(),
            request.kind(),
            request.table(),
            request.key(),
            answer));
  }

  /** Takes a request off. */
  public void remove(Request request) {
    var removed =
        writer.delete(
            GenericRow.of(
                BinaryString.fromString(request.source()),
                BinaryString.fromString(request.id()),
                null,
                null,
                null,
                null));
    SystemTables.finish(writer, removed, "remove a request to capture of " + request.source());
  }

  /** Requests of a source that wait for an answer, in any order. */
  public List<Request> waiting(String source) {
    return list().stream()
        .filter(request -> request.source().equals(source) && request.answer().isEmpty())
        .toList();
  }

  /** The answer to a request; empty until there is one. */
  public Optional<String> answer(Request request) {
    return list().stream()
        .filter(found -> found.source().equals(request.source()))
        .filter(found -> found.id().equals(request.id()) && !found.answer().isEmpty())
        .map(Request::answer)
        .findFirst();
  }

  private List<Request> list() {
    return SystemTables.list(table, MAX_LISTED, CaptureRequests::request);
  }

  private static Request request(InternalRow row) {
    return new Request(
        SystemTables.text(row, 0),
        SystemTables.text(row, 1),
        Kind.valueOf(SystemTables.text(row, 2)),
        SystemTables.text(row, 3),
        SystemTables.text(row, 4),
        SystemTables.text(row, 5));
  }

  @Override
  public void close() {
    FlussCalls.close(table, TABLE);
  }
}
