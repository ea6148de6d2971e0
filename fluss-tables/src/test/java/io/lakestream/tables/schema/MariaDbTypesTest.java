package io.lakestream.tables.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MariaDbTypesTest {
  @Test
  void unsignedNumbersHaveAHomeThatHoldsThem() {
    assertThat(MariaDbTypes.find("tinyint", true, 3, 0)).contains(ColumnType.SMALLINT);
    assertThat(MariaDbTypes.find("int", true, 10, 0)).contains(ColumnType.BIGINT);
    assertThat(MariaDbTypes.find("bigint", true, 20, 0)).contains(ColumnType.decimal(20, 0));
    assertThat(MariaDbTypes.find("float", true, 12, 0)).contains(ColumnType.FLOAT);
    assertThat(MariaDbTypes.find("decimal", true, 38, 10)).contains(ColumnType.decimal(38, 10));
    assertThat(MariaDbTypes.find("decimal", false, 39, 0)).contains(ColumnType.STRING);
    assertThat(MariaDbTypes.find("vector", false, 0, 0)).isEmpty();
  }
}
