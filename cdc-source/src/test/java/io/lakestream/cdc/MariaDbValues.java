package io.lakestream.cdc;

/** A table with every type of MariaDB, and rows that systems like ours are known to break. */
public final class MariaDbValues {
  public static final String TABLE =
      """
      create table all_types (
        id bigint unsigned primary key,
        ti tinyint(1), tu tinyint unsigned, si smallint, su smallint unsigned zerofill,
        mi mediumint, mu mediumint unsigned, i int, iu int unsigned zerofill, bi bigint,
        bu bigint unsigned zerofill, de decimal(10,2), dz decimal(8,3) zerofill, dl decimal(38,38),
        dx decimal(65,30), d0 decimal(65,0), f float, ft float(7,2), d double, dd double(12,4),
        da date, dt datetime, dt6 datetime(6), dt3 datetime(3), ts timestamp null default null,
        ts6 timestamp(6) null default null, t time, t6 time(6), t1 time(1), y year,
        b1 bit(1), b10 bit(10), b64 bit(64),
        c char(5), cl char(5) character set latin1, c0 char(200) character set utf8mb4,
        v varchar(300), vl varchar(20) character set latin1, vk varchar(20) character set koi8r,
        vu varchar(20) character set ucs2, v16 varchar(20) character set utf16,
        v32 varchar(20) character set utf32, vle varchar(20) character set utf16le,
        v3 varchar(20) character set utf8mb3, va varchar(20) character set ascii,
        vc varchar(20) character set cp1251 collate cp1251_bin,
        tt tinytext, te text, mt mediumtext, lt longtext character set latin1,
        bn binary(4), bn3 binary(255), vb varbinary(300), tb tinyblob, bl blob, mb mediumblob,
        lb longblob, e enum('a','b c','é','Z,z') character set latin1, es enum('x'),
        s set('a','b','é'), js json, u uuid, i4 inet4, i6 inet6, g geometry, p point,
        st int as (i + 1) stored, inv int invisible default 3,
        `näme ``"q` int default (1 + 2), nn varchar(10) not null default 'dflt')
      """;

  private MariaDbValues() {}

  /** Statements that insert them, from an ID on. */
  public static String[] inserts(long base) {
    return new String[] {
      "set time_zone = 'America/St_Johns'".replace("'America/St_Johns'", "'-03:30'"),
      "set sql_mode = ''",
      // The largest.
      """
      insert into all_types (id, ti, tu, si, su, mi, mu, i, iu, bi, bu, de, dz, dl, dx, d0, f, ft,
        d, dd, da, dt, dt6, dt3, ts, ts6, t, t6, t1, y, b1, b10, b64, c, cl, c0, v, vl, vk, vu, v16,
        v32, vle, v3, va, vc, tt, te, mt, lt, bn, bn3, vb, tb, bl, mb, lb, e, es, s, js, u, i4, i6,
        g, p, `näme ``"q`)
      values (%d, 127, 255, 32767, 65535, 8388607, 16777215, 2147483647, 4294967295,
        9223372036854775807, 18446744073709551615, 99999999.99, 99999.999,
        0.99999999999999999999999999999999999999,
        99999999999999999999999999999999999.999999999999999999999999999999,
        99999999999999999999999999999999999999999999999999999999999999999, 3.402823466e38, 99999.99,
        1.7976931348623157e308, 99999999.9999, '9999-12-31', '9999-12-31 23:59:59',
        '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999', '2038-01-18 23:44:07',
        '2038-01-18 23:44:07.999999', '838:59:59', '838:59:59.999999', '838:59:59.9', 2155, b'1',
        b'1111111111', b'1111111111111111111111111111111111111111111111111111111111111111',
        'abcde', 'éÿ€™', repeat('😀', 200), repeat('é😀', 100), 'Œœ€é', 'привет', 'ĀЖ漢', '😀漢a',
        '😀漢a', '😀漢a', '漢é', '~', 'Привет€', 'tiny é', repeat('text 😀 ', 3000),
        repeat('m', 70000), 'long é', 0x00ff, 0xff, 0x00ff00, 0x0001, repeat(0x00ff, 9000), x'',
        repeat('b', 70000), 'Z,z', 'x', 'a,b,é', '{"b" : 1,  "a":"x\\\\u00e9",  "a":1.50e1}',
        'ffffffff-ffff-ffff-ffff-ffffffffff00', '255.255.255.0', 'ffff::',
        ST_GeomFromText('POLYGON((0 0,1 0,1 1,0 0))', 4326), point(1.5, -2), -1)
      """
          .formatted(base),
      // The smallest, and what is easily taken for NULL.
      """
      insert into all_types (id, ti, tu, si, su, mi, mu, i, iu, bi, bu, de, dz, dl, dx, d0, f, ft,
        d, dd, da, dt, dt6, dt3, ts, ts6, t, t6, t1, y, b1, b10, b64, c, cl, v, vl, te, bn, vb, bl,
        e, s, js, u, i4, i6)
      values (%d, -128, 0, -32768, 0, -8388608, 0, -2147483648, 0, -9223372036854775808, 0,
        -99999999.99, 0.001, -0.00000000000000000000000000000000000001, -0.000000000000000000000000000001,
        -99999999999999999999999999999999999999999999999999999999999999999, -1.17549435e-38, -0.01,
        -2.2250738585072014e-308, -0.0001, '0001-01-01', '0001-01-01 00:00:00',
        '1582-10-10 12:34:56.000001', '1000-01-01 00:00:00.001', '1969-12-31 20:30:01',
        '1969-12-31 20:30:01.000001', '-838:59:59', '-838:59:59.999999', '-00:00:00.1', 0, b'0',
        b'0', b'0', '', '', '', '', '', x'', x'', x'', '', '', 'null',
        '00000000-0000-0000-0000-000000000000', '0.0.0.0', '::')
      """
          .formatted(base + 1),
      // NULL wherever it may be.
      "insert into all_types (id, nn, inv, `näme ``\"q`) values (%d, 'n', null, null)"
          .formatted(base + 2),
      // Zero bytes, blanks, an index of no label, hours and fractions in between.
      """
      insert into all_types (id, ti, f, ft, d, dt6, ts6, t, t6, t1, y, b10, c, cl, v, vl, te, bn,
        bn3, vb, bl, e, s, js, u, i4, i6, p)
      values (%d, 21, 1.1, 1.1, 0.1, '2024-03-31 02:30:00.123456', '2024-03-31 02:30:00.123456',
        '00:00:00', '-00:00:00.000001', '101:00:00.5', 1901, b'0000000101', 'a ', ' a', '  \\ta\\0b ',
        'a\\0', 'x\\0y', 0x01000000, 0x00, 0x2000, 0x0000, 'none', 'b', '[]',
        '123e4567-e89b-12d3-a456-426614174000', '10.0.0.1', '2001:db8::ff00:42:8329', point(0,0))
      """
          .formatted(base + 3)
    };
  }
}
