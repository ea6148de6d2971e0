package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbChecksIT {
  @RegisterExtension static final TestMariaDb SOURCE = new TestMariaDb();

  private static void check(SourceConfig config) {
    try (SourceConnection connection = SourceConnection.open(config)) {
      connection.check(false);
    }
  }

  private static SourceConfig as(SourceConfig c, String user, String password) {
    return new SourceConfig(
        c.name(),
        c.type(),
        c.host(),
        c.port(),
        c.database(),
        user,
        Secret.of(password),
        c.include(),
        c.exclude(),
        c.buckets(),
        c.heartbeat());
  }

  @Test
  void eachSettingThatIsMissingIsNamedWithTheStatementThatMendsIt() {
    SOURCE.createDatabase("checks", "create table t (id int primary key)");
    SourceConfig config = SOURCE.config("checks", "checks");
    check(config);
    for (String[] setting :
        new String[][] {
          {"binlog_format", "'MIXED'", "'ROW'"},
          {"binlog_row_image", "'MINIMAL'", "'FULL'"},
          {"binlog_row_metadata", "'NO_LOG'", "'FULL'"},
          {"log_bin_compress", "ON", "OFF"}
        }) {
      SOURCE.run("mysql", "set global " + setting[0] + " = " + setting[1]);
      assertThatThrownBy(() -> check(config))
          .hasMessageContaining("Run SET GLOBAL " + setting[0] + " = " + setting[2]);
      SOURCE.run("mysql", "set global " + setting[0] + " = " + setting[2]);
    }
    check(config);
  }

  @Test
  void missingRightsAndWrongPasswordsAreNamed() {
    SOURCE.createDatabase("rights", "create table t (id int primary key, v int)");
    SourceConfig config = SOURCE.config("rights", "rights");
    SOURCE.run(
        "mysql", "create user poor@'%' identified by 'x'", "grant select on rights.* to poor@'%'");
    assertThatThrownBy(() -> check(as(config, "poor", "x")))
        .hasMessageContaining("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'poor'@'%'");
    assertThatThrownBy(() -> check(as(config, "poor", "wrong")))
        .hasMessageContaining("the password of user poor is wrong")
        .satisfies(e -> assertThat(e.toString()).doesNotContain("'wrong'"));
    SOURCE.run("mysql", "grant replication slave, binlog monitor on *.* to poor@'%'");
    check(as(config, "poor", "x"));
    SOURCE.run("mysql", "create database elsewhere");
    assertThatThrownBy(() -> check(as(SOURCE.config("no", "elsewhere"), "poor", "x")))
        .hasMessageContaining("has no database elsewhere that user poor may use");
  }

  @Test
  void tablesThatCannotBeCapturedAreRefusedByNameWithTheWayOut() {
    SOURCE.createDatabase(
        "refused",
        "create table fine (id int primary key)",
        "create table no_key (id int)",
        "create table virt (id int primary key, v int as (id + 1) virtual)",
        "create table old (id int primary key) with system versioning",
        "create table mem (id int primary key) engine = MEMORY",
        "create table child (id int primary key, f int,"
            + " foreign key fk (f) references fine (id) on delete cascade)",
        "create table strict_child (id int primary key, f int,"
            + " foreign key fk2 (f) references fine (id))",
        "create table asian (id int primary key, v varchar(9) character set gbk)",
        "create table squeezed (id int primary key, v varchar(900) compressed)",
        "create table fl (f float primary key)",
        "set global mysql56_temporal_format = off",
        "create table ancient (id int primary key, t time(3))",
        "set global mysql56_temporal_format = on",
        "create view v as select * from fine");
    try (SourceConnection connection = SourceConnection.open(SOURCE.config("refused", "refused"))) {
      Discovery found = connection.discover();
      assertThat(found.tables().stream().map(t -> t.definition().name().table()))
          .containsExactly("fine", "strict_child");
      Map<String, String> reasons =
          found.refusals().stream().collect(Collectors.toMap(Refusal::table, Refusal::reason));
      assertThat(reasons.get("no_key")).contains("it has no primary key");
      assertThat(reasons.get("virt")).contains("column v is generated and virtual");
      assertThat(reasons.get("old")).contains("system-versioned");
      assertThat(reasons.get("mem")).contains("its engine is MEMORY");
      assertThat(reasons.get("child")).contains("CASCADE or SET NULL");
      assertThat(reasons.get("asian")).contains("character set gbk");
      assertThat(reasons.get("squeezed")).contains("column v is compressed");
      assertThat(reasons.get("fl")).contains("key column f is a float");
      assertThat(reasons.get("ancient")).contains("ALTER TABLE `refused`.`ancient` FORCE");
      assertThat(reasons).hasSize(9);
    }
  }
}
