package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.distribution.config.LakestreamConfig;
import java.nio.file.Path;
import java.util.Map;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.server.zk.ZooKeeperClient;
import org.apache.fluss.server.zk.ZooKeeperUtils;
import org.apache.fluss.server.zk.data.DatabaseRegistration;
import org.apache.fluss.server.zk.data.TableRegistration;
import org.apache.fluss.server.zk.data.ZkData;
import org.apache.fluss.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HalfMadeTablesTest {
  private static final Schema SCHEMA = Schema.newBuilder().column("id", DataTypes.INT()).build();

  @TempDir private Path folder;

  @Test
  void whatAKillLeftHalfThereGoesAndWholeTablesStay() throws Exception {
    TablePath whole = TablePath.of("shop", "whole");
    TablePath halfMade = TablePath.of("shop", "half_made");
    TablePath halfDropped = TablePath.of("shop", "half_dropped");
    try (EmbeddedZooKeeper server =
        EmbeddedZooKeeper.start(folder, LakestreamConfig.defaults().ports())) {
      Configuration conf = new Configuration();
      conf.setString("zookeeper.address", server.address());
      HalfMadeTables.remove(conf); // a new folder has no tables at all
      try (ZooKeeperClient zookeeper = ZooKeeperUtils.startZookeeperClient(conf, error -> {})) {
        zookeeper.registerDatabase("shop", DatabaseRegistration.of(DatabaseDescriptor.EMPTY));
        zookeeper.registerFirstSchema(whole, SCHEMA);
        zookeeper.registerTable(whole, table(1), false);
        zookeeper.registerFirstSchema(halfMade, SCHEMA);
        zookeeper.registerTable(halfDropped, table(2));

        HalfMadeTables.remove(conf);

        assertThat(zookeeper.listTables("shop")).containsExactly("whole");
        assertThat(zookeeper.getTable(whole)).isPresent();
        assertThat(zookeeper.getSchemaById(whole, 1)).isPresent();
        assertThat(
                zookeeper
                    .getCuratorClient()
                    .checkExists()
                    .forPath(ZkData.TableZNode.path(halfMade)))
            .isNull();
      }
    }
  }

  private static TableRegistration table(long id) {
    return TableRegistration.newTable(
        id,
        TableDescriptor.builder()
            .schema(SCHEMA)
            .distributedBy(1)
            .property("table.replication.factor", "1")
            .customProperties(Map.of())
            .build());
  }
}
