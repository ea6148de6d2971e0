package io.lakestream.tables.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SourcePositionTest {
  @Test
  void binlogPositionsAreOrderedByTheFilesNumberThenByTheOffset() {
    SourcePosition first = SourcePosition.parseBinlog("binlog.000002:4");
    assertThat(first.text()).isEqualTo("binlog.000002:4");
    assertThat(SourcePosition.ofBinlog("binlog.000010", 4)).isGreaterThan(first);
    assertThat(SourcePosition.ofBinlog("binlog.1000000", 4))
        .isGreaterThan(SourcePosition.ofBinlog("binlog.999999", 5_000_000_000L));
    assertThat(SourcePosition.ofBinlog("binlog.000002", 5)).isGreaterThan(first);
    assertThat(SourcePosition.parseBinlog("my.host-bin.000007:123"))
        .isEqualTo(SourcePosition.ofBinlog("my.host-bin.000007", 123));
  }

  @Test
  void whatIsNoBinlogPositionIsNamed() {
    assertThatThrownBy(() -> SourcePosition.parseBinlog("0/16B3748"))
        .hasMessageContaining("'0/16B3748' (must be a binlog file and offset");
    assertThatThrownBy(() -> SourcePosition.parseBinlog("binlog:7"))
        .hasMessageContaining("'binlog' (must end in a dot and a number");
  }
}
