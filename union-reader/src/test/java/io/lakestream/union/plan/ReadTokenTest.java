package io.lakestream.union.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadTokenTest {
  @Test
  void aTokenIsOnePrintableWordAndReadsBack() {
    for (String table : List.of("orders", "Order Items", "a:b,c", "é😀", "100%", "a+b")) {
      ReadToken token =
          new ReadToken(
              new TableName("shop", "public", table),
              7,
              1,
              OptionalLong.of(-8123456789012345678L),
              List.of(12L, 0L, 1L << 40));
      assertThat(token.print()).matches("[!-~]+");
      assertThat(ReadToken.parse(token.print())).isEqualTo(token);
    }
    ReadToken bare =
        new ReadToken(new TableName("s", "p", "t"), 0, 1, OptionalLong.empty(), List.of(0L));
    assertThat(bare.print()).isEqualTo("read1:s:p:t:0:1:-:0");
    assertThat(ReadToken.parse(bare.print())).isEqualTo(bare);
  }

  @Test
  void anythingElseIsRefused() {
    for (String text :
        List.of(
            "",
            "x",
            "read2:s:p:t:0:1:-:0",
            "read1:s:p:t:0:1:-",
            "read1:s:p:t:0:1:-:x",
            "read1:s:p:t:0:1:-:",
            "read1:a.b:p:t:0:1:-:0",
            "read1:s:p:t:0:1:-:-4")) {
      assertThatThrownBy(() -> ReadToken.parse(text))
          .isInstanceOf(LakestreamException.class)
          .hasMessageContaining("Invalid");
    }
  }
}
