package io.lakestream.cdc;

/** What the two databases spell differently in {@link CaptureStorm}. */
enum StormDialect {
  POSTGRES("uuid", "timestamptz", "bytea", "text", "'\\x%s'::bytea", "gen_random_uuid()"),
  MARIADB(
      "uuid",
      "datetime(6)",
      "varbinary(40)",
      "varchar(100) collate utf8mb4_bin",
      "x'%s'",
      "uuid()");

  final String uuid;
  final String instant;
  final String bytes;
  final String keyText;
  private final String bytesLiteral;
  final String volatileDefault;

  StormDialect(
      String uuid,
      String instant,
      String bytes,
      String keyText,
      String bytesLiteral,
      String volatileDefault) {
    this.uuid = uuid;
    this.instant = instant;
    this.bytes = bytes;
    this.keyText = keyText;
    this.bytesLiteral = bytesLiteral;
    this.volatileDefault = volatileDefault;
  }

  String bytes(String hex) {
    return bytesLiteral.formatted(hex);
  }

  /** Statement that makes an int column a bigint. */
  String widen(String table, String column) {
    return this == POSTGRES
        ? "alter table %s alter column %s type bigint".formatted(table, column)
        : "alter table %s modify column %s bigint".formatted(table, column);
  }

  /** Statement after which updates that leave a long text alone do not log it; empty for none. */
  String keepLongTextOut(String table, String column) {
    return this == POSTGRES
        ? "alter table %s alter column %s set storage external".formatted(table, column)
        : "";
  }
}
