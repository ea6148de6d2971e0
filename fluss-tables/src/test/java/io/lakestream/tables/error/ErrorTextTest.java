package io.lakestream.tables.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.ddl.FlussCalls;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ErrorTextTest {
  private static final String REMOTE =
      """
      org.apache.fluss.exception.FlussRuntimeException: Fail to register schema when creating table a.b
      \tat org.apache.fluss.server.coordinator.MetadataManager.createTable(MetadataManager.java:310)
      \tat java.base/java.lang.Thread.run(Thread.java:840)
      Caused by: org.apache.zookeeper.KeeperException$NodeExistsException: KeeperErrorCode = NodeExists
      \t... 9 more
      """;

  @Test
  void aRemoteStackTraceBecomesItsFirstSentence() {
    assertThat(ErrorText.of(new IllegalStateException(REMOTE)))
        .isEqualTo("Fail to register schema when creating table a.b");
  }

  @Test
  void anErrorWithoutASentenceIsNamedByItsClass() {
    assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("IllegalStateException");
    assertThat(ErrorText.of(new RuntimeException("java.io.EOFException")))
        .isEqualTo("EOFException");
    assertThat(ErrorText.of(new RuntimeException(new java.io.EOFException())))
        .isEqualTo("EOFException");
  }

  @Test
  void whatOnlyLooksLikeAClassNameStays() {
    assertThat(ErrorText.of(new IllegalStateException("shop.orders: no such table\nmore")))
        .isEqualTo("shop.orders: no such table");
    assertThat(ErrorText.of(new IllegalStateException("FATAL: 127.0.0.1: refused")))
        .isEqualTo("FATAL: 127.0.0.1: refused");
  }

  @Test
  void noLakestreamMessageHoldsAStackTraceAndItsCauseKeepsIt() {
    LakestreamException e =
        new LakestreamException(
            new IllegalStateException(REMOTE),
            ErrorCode.FLUSS_FAILED,
            "Cannot create table: %s",
            REMOTE);

    assertThat(e).hasMessageNotContaining("MetadataManager").hasMessageNotContaining("Caused by");
    assertThat(e).hasMessageStartingWith("Cannot create table: org.apache");
    assertThat(e.getCause()).hasMessageContaining("NodeExistsException");
  }

  @Test
  void aFailedCallOfFlussIsOneLine() {
    CompletableFuture<Void> failed =
        CompletableFuture.failedFuture(new IllegalStateException(REMOTE));
    try {
      FlussCalls.await(failed, "create table a.b");
    } catch (LakestreamException e) {
      assertThat(e)
          .hasMessage("Cannot create table a.b: Fail to register schema when creating table a.b");
      assertThat(e.getCause()).hasMessage(REMOTE);
      return;
    }
    throw new AssertionError("no failure");
  }
}
