/**
 * What is MariaDB's own: {@link io.lakestream.cdc.mariadb.MariaDbSource} and {@link
 * io.lakestream.cdc.mariadb.MariaDbConnection} are the source, and the rest of the module knows
 * nothing else of it.
 *
 * <p>The stream: {@code BinlogTask} holds our place and the connection, {@code BinlogEvents} takes
 * events off it, {@code TableMap} says what the columns of the rows that follow are, {@code
 * CellReader} reads one value, {@code BinlogReader} makes records of it all and looks at each
 * {@code Statement} that may touch a captured table. The copy: {@code MariaDbCopy} reads chunks of
 * a table in snapshots whose place in the binlog MariaDB tells, in the very forms of the stream.
 */
package io.lakestream.cdc.mariadb;
