package io.lakestream.distribution.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableChoiceTest {
  private static final List<LiveTable> TABLES =
      List.of(
          table("shop", "public", "orders"),
          table("shop", "public", "nation"),
          table("erp", "public", "nation"),
          table("erp", "Sales", "a.b"));

  @Test
  void aTableIsFoundByItsNameOrWithItsSource() {
    assertThat(TableChoice.find(TABLES, "public.orders")).isSameAs(TABLES.get(0));
    assertThat(TableChoice.find(TABLES, "erp/public.nation")).isSameAs(TABLES.get(2));
    assertThat(TableChoice.find(TABLES, "Sales.a.b")).isSameAs(TABLES.get(3));
  }

  @Test
  void anAmbiguousNameIsRefusedWithItsChoices() {
    assertThatThrownBy(() -> TableChoice.find(TABLES, "public.nation"))
        .hasMessage(
            "Table name public.nation is ambiguous: name one of shop/public.nation, erp/public.nation");
  }

  @Test
  void anUnknownNameSuggestsTheNearOne() {
    assertThatThrownBy(() -> TableChoice.find(TABLES, "public.order"))
        .hasMessage("There is no table public.order. Did you mean public.orders?");
    assertThatThrownBy(() -> TableChoice.find(TABLES, "orders"))
        .hasMessage("There is no table orders. Did you mean public.orders?");
    assertThatThrownBy(() -> TableChoice.find(TABLES, "shop/public.ordres"))
        .hasMessage("There is no table shop/public.ordres. Did you mean shop/public.orders?");
    assertThatThrownBy(() -> TableChoice.find(TABLES, "x"))
        .hasMessage("There is no table x. 'lakestream tables' lists them.");
    assertThatThrownBy(() -> TableChoice.find(List.of(), "x"))
        .hasMessageContaining("nothing is captured yet");
  }

  private static LiveTable table(String source, String schema, String name) {
    TableName tableName = new TableName(source, schema, name);
    return new LiveTable(
        new TableDefinition(
            tableName,
            List.of(new Column("id", ColumnType.BIGINT, "bigint", true)),
            List.of("id"),
            1),
        tableName.toFluss(),
        0,
        1);
  }
}
