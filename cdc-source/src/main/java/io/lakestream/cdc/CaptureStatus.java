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
 * @param lagMs now minus the commit time of the newest cut's last transaction, in milliseconds; the
 *     heartbeat keeps it small on an idle source. It compares this machine's clock with the
 *     source's, and is 0 where that would make it negative
 * @param tables that match the patterns, ordered by name
 * @param failure set for good once the state is FAILED
 */
public record CaptureStatus(
    String source,
    SourceState state,
    String reason,
    Optional<SourcePosition> position,
    OptionalLong lagMs,
    List<Table> tables,
    Optional<LakestreamException> failure) {
  /**
   * One table.
   *
   * @param name {@code <schema>.<table>}
   * @param reason why it is refused or paused; otherwise empty
   * @param changes since capture started in this process
   * @param quarantined rows that the view lacks because a value of theirs has no exact home
   */
  public record Table(
      String name, TableState state, String reason, TableChanges changes, long quarantined) {}

  public CaptureStatus {
    tables = List.copyOf(tables);
  }
}
