package io.lakestream.cdc.decode;

import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.fluss.row.GenericRow;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * Turns Debezium's rows of one table into Fluss rows. Everything that depends on the schema alone
 * is resolved in {@link #bind}, so that a row costs one call per column. For one thread.
 */
public final class RowDecoder {
  private final TableDefinition definition;
  private final int[] keyIndexes;
  private final Field[] fields;
  private final FieldDecoder[] decoders;

  private RowDecoder(TableDefinition definition, Field[] fields, FieldDecoder[] decoders) {
    this.definition = definition;
    this.keyIndexes = definition.keyIndexes();
    this.fields = fields;
    this.decoders = decoders;
  }

  /**
   * Resolves a schema.
   *
   * @param row schema of a row as Debezium hands it over
   * @param mayLack tells of a column's name whether it is NULL in rows that come without it
   * @throws SchemaChangedException where it is not the schema that the table was registered with
   */
  public static RowDecoder bind(SourceTable table, Schema row, Predicate<String> mayLack)
      throws SchemaChangedException {
    String problem = parameter(row, StreamField.PROBLEM);
    if (!problem.isEmpty()) {
      throw SchemaChangedException.problem(
          problem, !parameter(row, StreamField.MENDED_BY_COPY).isEmpty());
    }
    List<Column> columns = table.definition().columns();
    Field[] fields = new Field[columns.size()];
    FieldDecoder[] decoders = new FieldDecoder[columns.size()];
    for (int i = 0; i < fields.length; i++) {
      Column column = columns.get(i);
      Field field = row.field(column.name());
      if (field == null && mayLack.test(column.name())) {
        continue;
      }
      if (field == null) {
        throw new SchemaChangedException("column %s was dropped or renamed", column.name());
      }
      checkType(column, table.columns().get(i).streamType(), field.schema());
      fields[i] = field;
      decoders[i] = FieldDecoder.of(column);
    }
    for (Field field : row.fields()) {
      if (columns.stream().noneMatch(column -> column.name().equals(field.name()))) {
        throw new SchemaChangedException("column %s was added", field.name());
      }
    }
    return new RowDecoder(table.definition(), fields, decoders);
  }

  private static void checkType(Column column, String expected, Schema field)
      throws SchemaChangedException {
    String found = parameter(field, StreamField.TYPE);
    // Of a domain the stream does not tell the precision: there each value is checked by itself.
    boolean same =
        expected.equals(found) || (expected.indexOf('(') < 0 && found.startsWith(expected + "("));
    // One kind of text may become another without a change of any value.
    boolean bothText =
        column.type().kind() == ColumnType.Kind.STRING
            && field.parameters() != null
            && field.parameters().containsKey(StreamField.TEXT);
    if (!same && !bothText) {
      throw new SchemaChangedException(
          "column %s no longer has type %s", column.name(), column.sourceType());
    }
  }

  private static String parameter(Schema field, String name) {
    return field.parameters() == null ? "" : field.parameters().getOrDefault(name, "");
  }

  /**
   * Decodes a whole row.
   *
   * @param unchanged receives the columns whose value the source did not send because the update
   *     left it as it was; they are NULL in the row
   */
  public GenericRow decode(Struct row, BitSet unchanged) throws UnconvertibleValueException {
    unchanged.clear();
    GenericRow decoded = new GenericRow(fields.length);
    for (int i = 0; i < fields.length; i++) {
      Object value = fields[i] == null ? null : row.get(fields[i]);
      if (value == null) {
        continue;
      }
      if (value == StreamField.UNCHANGED_TEXT || value == StreamField.UNCHANGED_BYTES) {
        unchanged.set(i);
      } else {
        decoded.setField(i, decoders[i].decode(value));
      }
    }
    return decoded;
  }

  /**
   * Decodes a value that a source may keep out of an update: text, a decimal or bytes.
   *
   * @param value its text, or its bytes; null for NULL
   */
  public static Object decodeLongValue(Column column, Object value)
      throws UnconvertibleValueException {
    return value == null ? null : FieldDecoder.of(column).decode(value);
  }

  /** Decodes rows that come as one value per column, in the forms of {@link StreamField}. */
  public static Values values(TableDefinition definition) {
    return new Values(definition);
  }

  /** Decodes the key columns only; all others are NULL. */
  public GenericRow decodeKey(Struct row) throws UnconvertibleValueException {
    GenericRow decoded = new GenericRow(fields.length);
    for (int index : keyIndexes) {
      Object value = row.get(fields[index]);
      decoded.setField(index, value == null ? null : decoders[index].decode(value));
    }
    return decoded;
  }

  /** Decodes the key columns; empty where one of them does not convert. */
  public Optional<GenericRow> findKey(Struct row) {
    try {
      return Optional.of(decodeKey(row));
    } catch (UnconvertibleValueException e) {
      return Optional.empty();
    }
  }

  /** The key of a row as JSON, for quarantine; raw values where they do not convert. */
  public String keyJson(Struct row) {
    return KeyJson.print(definition, decoders, index -> row.get(fields[index]));
  }

  /** Rows that come as one value per column. */
  public static final class Values {
    private final TableDefinition definition;
    private final FieldDecoder[] decoders;

    private Values(TableDefinition definition) {
      this.definition = definition;
      this.decoders =
          definition.columns().stream().map(FieldDecoder::of).toArray(FieldDecoder[]::new);
    }

    /** Decodes a whole row; null stands for NULL. */
    public GenericRow decode(Object[] row) throws UnconvertibleValueException {
      GenericRow decoded = new GenericRow(decoders.length);
      for (int i = 0; i < decoders.length; i++) {
        if (row[i] != null) {
          decoded.setField(i, decoders[i].decode(row[i]));
        }
      }
      return decoded;
    }

    /** Decodes the key columns; empty where one of them does not convert. */
    public Optional<GenericRow> findKey(Object[] row) {
      GenericRow decoded = new GenericRow(decoders.length);
      try {
        for (int index : definition.keyIndexes()) {
          decoded.setField(index, decoders[index].decode(row[index]));
        }
        return Optional.of(decoded);
      } catch (UnconvertibleValueException e) {
        return Optional.empty();
      }
    }

    /** The key of a row as JSON, for quarantine; raw values where they do not convert. */
    public String keyJson(Object[] row) {
      return KeyJson.print(definition, decoders, index -> row[index]);
    }
  }
}
