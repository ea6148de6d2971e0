package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.distribution.laptop.RunningParts.Layer;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunningPartsTest {
  private final RunningParts parts = new RunningParts();
  private final List<String> stopped = new CopyOnWriteArrayList<>();

  @Test
  void layersStopFromTheTopWhateverTheOrderOfTheirStart() throws Exception {
    start(Layer.STAGES, "tiering");
    start(Layer.FOLDER, "folder");
    start(Layer.FRONT, "endpoints");
    start(Layer.STORAGE, "fluss");

    parts.stop(Duration.ofSeconds(5));
    parts.stop(Duration.ofSeconds(5));

    assertThat(stopped).containsExactly("endpoints", "tiering", "fluss", "folder");
  }

  @Test
  void aPartThatHangsOrFailsDoesNotKeepTheOthersFromStopping() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    start(Layer.FOLDER, "folder");
    parts.start(Layer.STAGES, "hangs", () -> never::await);
    parts.start(
        Layer.STORAGE,
        "fails",
        () ->
            () -> {
              throw new IllegalStateException("planned");
            });

    parts.stop(Duration.ofMillis(100));
    never.countDown();

    assertThat(stopped).containsExactly("folder");
  }

  @Test
  void nothingStartsOnceTheStopHasBegun() {
    parts.stop(Duration.ofSeconds(1));

    assertThatThrownBy(() -> start(Layer.STORAGE, "late"))
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining("late");
  }

  @Test
  void aStopWaitsForAStartThatIsUnderWay() throws Exception {
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Lane<AutoCloseable> lane =
        Lane.start(
            "slow",
            () ->
                parts.start(
                    Layer.STORAGE,
                    "slow",
                    () -> {
                      starting.countDown();
                      goOn.await();
                      return () -> stopped.add("slow");
                    }));
    starting.await();
    Lane<Void> stop =
        Lane.start(
            "stop",
            () -> {
              parts.stop(Duration.ofSeconds(5));
              return null;
            });
    goOn.countDown();
    lane.await();
    stop.await();

    assertThat(stopped).containsExactly("slow");
  }

  @Test
  void theWatchHandsOnWhatItFindsAndItsOwnFailures() throws Exception {
    LakestreamException full = new LakestreamException(ErrorCode.DATA_FOLDER_FULL, "full");
    CompletableFuture<LakestreamException> found = new CompletableFuture<>();
    CompletableFuture<LakestreamException> broken = new CompletableFuture<>();
    try (Watch finds = Watch.start(Duration.ofMillis(1), () -> Optional.of(full), found::complete);
        Watch breaks =
            Watch.start(
                Duration.ofMillis(1),
                () -> {
                  throw new IllegalStateException("planned");
                },
                broken::complete)) {
      assertThat(finds).isNotSameAs(breaks);
      assertThat(found.get(10, TimeUnit.SECONDS)).isSameAs(full);
      assertThat(broken.get(10, TimeUnit.SECONDS)).hasMessageContaining("planned");
    }
  }

  private void start(Layer layer, String name) throws Exception {
    parts.start(layer, name, () -> () -> stopped.add(name));
  }
}
