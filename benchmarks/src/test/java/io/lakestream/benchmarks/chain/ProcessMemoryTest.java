package io.lakestream.benchmarks.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {
  @Test
  void memoryOfThisProcessIsMoreThanNothing() throws Exception {
    assertThat(ProcessMemory.residentBytes(List.of(ProcessHandle.current())))
        .isGreaterThan(10L << 20);
  }
}
