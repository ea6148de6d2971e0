package io.lakestream.cdc;

import io.lakestream.cdc.write.TableChanges;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What capture of one source is doing.
 *
 * @param source its name
 * @param state of the source
 * @param reason why, where the state needs one: the failure, or what is being tried again;
 *     otherwise empty
 * @param position of the newest cut
 * @param lag how far behind the source it is
 * @param run of this engine so far
 * @param tables that match the patterns, ordered by name
 * @param failure set for good once the state is FAILED
 */
public record CaptureStatus(
    String source,
    SourceState state,
    String reason,
    Optional<SourcePosition> position,
    Lag lag,
    Run run,
    List<Table> tables,
    Optional<LakestreamException> failure) {
  /**
   * How far capture is behind.
   *
   * @param ms now minus the commit time of the newest cut's last transaction, in milliseconds; the
   *     heartbeat keeps it small on an idle source. It compares this machine's clock with the
   *     source's, and is 0 where that would make it negative
   * @param bytes of the source's log between the newest cut and its end, as of the last look
   * @param rows changes that were taken from the stream and are in no cut yet
   */
  public record Lag(OptionalLong ms, OptionalLong bytes, long rows) {}

  /**
   * What this engine did since its start.
   *
   * @param sessions that were opened
   * @param failures sessions that failed, or could not be opened
   * @param cuts written
   * @param idleMs time since it last made progress: wrote a cut or a chunk of a copy; since its
   *     start where it never did
   */
  public record Run(long sessions, long failures, long cuts, long idleMs) {}

  /**
   * How far the copy of a table is.
   *
   * @param rows copied
   * @param estimatedRows of the table, by the source's own guess; -1 where it has none
   */
  public record Copied(long rows, long estimatedRows) {}

  /**
   * One table.
   *
   * @param name {@code <schema>.<table>}
   * @param reason why it is refused or paused; otherwise empty
   * @param changes since capture started in this process
   * @param quarantined rows that the view lacks because a value of theirs has no exact home
   * @param copied how far its copy is; empty where none was made in this process
   */
  public record Table(
      String name,
      TableState state,
      String reason,
      TableChanges changes,
      long quarantined,
      Optional<Copied> copied) {}

  public CaptureStatus {
    tables = List.copyOf(tables);
  }

  /** {@link Lag#ms}. */
  public OptionalLong lagMs() {
    return lag.ms();
  }
}
