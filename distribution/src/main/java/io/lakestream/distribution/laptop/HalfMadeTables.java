package io.lakestream.distribution.laptop;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.server.zk.ZooKeeperClient;
import org.apache.fluss.server.zk.ZooKeeperUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables that a kill left half created or half dropped in ZooKeeper.
 *
 * <p>Fluss 0.9.1 creates a table as two writes, first its schema and then the table, and drops it
 * in the opposite order. What a kill between the two leaves is a table that Fluss neither shows nor
 * drops, and that nobody can create again.
 */
final class HalfMadeTables {
  private static final Logger LOG = LoggerFactory.getLogger(HalfMadeTables.class);

  private HalfMadeTables() {}

  /**
   * Removes them. Call before the coordinator starts: then nobody else creates or drops tables, so
   * whatever is half there stays so.
   *
   * @param conf names ZooKeeper
   */
  static void remove(Configuration conf) {
    try (ZooKeeperClient zookeeper =
        ZooKeeperUtils.startZookeeperClient(
            conf, error -> LOG.warn("ZooKeeper client failed", error))) {
      for (String database : zookeeper.listDatabases()) {
        for (String table : zookeeper.listTables(database)) {
          TablePath path = TablePath.of(database, table);
          if (!isWhole(zookeeper, path)) {
            // No row is lost: without the first part nobody ever wrote to it, without the second
            // nobody can read it.
            LOG.warn("Removing a table that is only half there: table={}", path);
            zookeeper.deleteTable(path);
          }
        }
      }
    } catch (Exception e) {
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot look after tables in ZooKeeper: %s", ErrorText.of(e));
    }
  }

  private static boolean isWhole(ZooKeeperClient zookeeper, TablePath path) throws Exception {
    boolean hasSchema = zookeeper.getCurrentSchemaId(path) > 0;
    return hasSchema && zookeeper.tableExist(path);
  }
}
