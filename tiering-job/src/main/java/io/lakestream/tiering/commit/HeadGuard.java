package io.lakestream.tiering.commit;

import io.lakestream.tables.lake.LakeLayout;
import io.lakestream.tables.lake.TieredOffsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;

/**
 * The compare of compare-and-swap: runs inside the commit, on the metadata that the catalog swaps
 * against.
 */
final class HeadGuard implements SnapshotAncestryValidator {
  private final TableOperations operations;
  private final RoundCommit round;
  private String problem = "";

  HeadGuard(TableOperations operations, RoundCommit round) {
    this.operations = operations;
    this.round = round;
  }

  @Override
  public boolean validate(Iterable<Snapshot> ancestry) {
    problem = check(operations.current(), ancestry);
    return problem.isEmpty();
  }

  private String check(TableMetadata metadata, Iterable<Snapshot> ancestry) {
    String tableId = metadata.property(LakeLayout.TABLE_ID_PROPERTY, "");
    if (!tableId.equals(Long.toString(round.offsets().tableId()))) {
      return String.format(
          "lake table holds Fluss table ID '%s', the round is of %s",
          tableId, round.offsets().tableId());
    }
    OptionalLong head = OptionalLong.empty();
    Optional<TieredOffsets> offsets = Optional.empty();
    for (Snapshot snapshot : ancestry) {
      if (head.isEmpty()) {
        head = OptionalLong.of(snapshot.snapshotId());
      }
      offsets = TieredOffsets.fromSummary(snapshot.summary());
      if (offsets.isPresent()) {
        break;
      }
    }
    // The deletion vectors name files and positions of the base: any other head, even one with
    // equal offsets such as another engine's compaction, may hold other files.
    if (!head.equals(round.base())) {
      return String.format("head is snapshot %s, the round extends %s", head, round.base());
    }
    return offsets.map(this::checkOffsets).orElse("");
  }

  private String checkOffsets(TieredOffsets head) {
    if (head.epoch() > round.offsets().epoch()) {
      return String.format(
          "head has epoch %s, the round %s", head.epoch(), round.offsets().epoch());
    }
    Map<Integer, Long> found = nonZero(head.endOffsets());
    Map<Integer, Long> expected = nonZero(round.startOffsets());
    return found.equals(expected)
        ? ""
        : String.format("head ends at offsets %s, the round starts at %s", found, expected);
  }

  static Map<Integer, Long> nonZero(Map<Integer, Long> offsets) {
    Map<Integer, Long> named = new TreeMap<>(offsets);
    named.values().removeIf(offset -> offset == 0);
    return named;
  }

  @Override
  public String errorMessage() {
    return problem;
  }
}
