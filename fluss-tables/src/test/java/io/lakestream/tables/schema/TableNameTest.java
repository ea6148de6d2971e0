package io.lakestream.tables.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.error.LakestreamException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TableNameTest {
  private static final List<String> NASTY =
      List.of(
          "Order Items",
          "a.b",
          "a__b",
          "a_",
          "_a",
          "_",
          "__",
          "a",
          "b",
          "_x005f",
          "x005f",
          "é_",
          "é",
          "a_x0020b",
          "a b",
          "a_b",
          "a-b",
          "ev",
          "Ev",
          "index",
          "😀",
          "x",
          "_x",
          "a_x",
          "ax");

  @Test
  void differentNamesNeverShareASpelling() {
    Map<String, TableName> spellings = new HashMap<>();
    for (String schema : NASTY) {
      for (String table : NASTY) {
        TableName name = new TableName("shop", schema, table);
        assertThat(spellings.put(name.toFluss().getTableName(), name)).as("%s", name).isNull();
      }
    }
  }

  @Test
  void randomNamesFromTheRiskyCharactersNeverShareASpelling() {
    String characters = "_x05fa é";
    Random random = new Random(7);
    Map<String, TableName> spellings = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      TableName name = new TableName("s", text(random, characters), text(random, characters));
      TableName other = spellings.put(name.toFluss().getTableName(), name);
      assertThat(other == null || other.equals(name)).as("%s and %s", name, other).isTrue();
    }
  }

  private static String text(Random random, String characters) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(6);
    for (int i = 0; i < length; i++) {
      text.append(characters.charAt(random.nextInt(characters.length())));
    }
    return text.toString();
  }

  @Test
  void plainNamesKeepTheirSpelling() {
    TableName name = new TableName("shop", "public", "line_items2");
    assertThat(name.toFluss().toString()).isEqualTo("shop.public__line_items2");
    assertThat(name.toIceberg().toString()).isEqualTo("shop.public__line_items2");
    assertThat(name.display()).isEqualTo("public.line_items2");
  }

  @Test
  void refusesSourcesThatFlussCannotName() {
    for (String source : List.of("", "a.b", "lakestream", "-a", "a b")) {
      assertThatThrownBy(() -> new TableName(source, "public", "t"))
          .isInstanceOf(LakestreamException.class)
          .hasMessageContaining("Invalid source name");
    }
  }

  @Test
  void refusesATableWhoseSpellingIsTooLongForFluss() {
    TableName name = new TableName("shop", "public", "é".repeat(40));
    assertThatThrownBy(name::toFluss).hasMessageContaining("its name takes 248 characters");
  }
}
