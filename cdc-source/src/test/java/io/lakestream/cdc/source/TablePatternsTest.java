package io.lakestream.cdc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.error.LakestreamException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TablePatternsTest {
  @Test
  void wildcardsStayWithinTheirPart() {
    TablePatterns patterns = TablePatterns.of(List.of("public.*", "sh?p.order*"), List.of());
    assertThat(patterns.match("public", "anything at all")).isTrue();
    assertThat(patterns.match("shop", "orders")).isTrue();
    assertThat(patterns.match("shoop", "orders")).isFalse();
    assertThat(patterns.match("public2", "t")).isFalse();
    assertThat(patterns.match("shop", "my_orders")).isFalse();
  }

  @Test
  void lettersMatchExactlyAndExcludeTakesAway() {
    TablePatterns patterns = TablePatterns.of(List.of("public.*"), List.of("public.tmp_*"));
    assertThat(patterns.match("Public", "t")).isFalse();
    assertThat(patterns.match("public", "tmp_1")).isFalse();
    assertThat(patterns.match("public", "TMP_1")).isTrue();
  }

  @Test
  void quotedPartsAreTakenLiterally() {
    TablePatterns patterns = TablePatterns.of(List.of("public.\"odd.na\"\"me*\""), List.of());
    assertThat(patterns.match("public", "odd.na\"me*")).isTrue();
    assertThat(patterns.match("public", "odd.na\"mes")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "public", "public.", ".t", "a.b.c", "public.\"t", "public.t\"x\"", "a.\"b\"c"})
  void whatIsNoPatternIsRefusedByName(String pattern) {
    assertThatThrownBy(() -> TablePatterns.of(List.of(pattern), List.of()))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("Invalid table pattern: '" + pattern + "'");
  }
}
