package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.distribution.config.DataSize;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  @TempDir private Path folder;

  @Test
  void aNewFolderIsCreatedAndCanBeTakenAgainAfterItWasGivenBack() {
    Path data = folder.resolve("a/b");
    for (int run = 0; run < 2; run++) {
      try (DataFolder taken = DataFolder.lock(data)) {
        assertThat(taken.path()).isEqualTo(data);
        assertThat(taken.folder("x/y")).isDirectory();
        assertThat(DataFolder.isInUse(data)).isTrue();
      }
      assertThat(DataFolder.isInUse(data)).isFalse();
    }
  }

  @Test
  void aSecondOwnerIsRefusedAndTheFirstNamed() {
    try (DataFolder first = DataFolder.lock(folder)) {
      assertThatThrownBy(() -> DataFolder.lock(first.path()))
          .isInstanceOfSatisfying(
              LakestreamException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_FOLDER_IN_USE))
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("--data");
    }
  }

  @Test
  void anotherProcessIsRefusedHoweverOftenThisOneLooks() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("data"));
    try (DataFolder first = DataFolder.lock(folder.resolve("data"))) {
      assertThat(DataFolder.isInUse(first.path())).isTrue();
      assertThat(DataFolder.isInUse(link)).isTrue();
      assertThatThrownBy(() -> DataFolder.lock(link)).isInstanceOf(LakestreamException.class);

      assertThat(FolderProbe.lockElsewhere(first.path())).isEqualTo(FolderProbe.REFUSED);
    }
    assertThat(FolderProbe.lockElsewhere(folder.resolve("data"))).isEqualTo(FolderProbe.TAKEN);
  }

  @Test
  void aFolderOfANewerVersionIsNotTouched() throws Exception {
    DataFolder.lock(folder).close();
    Files.writeString(folder.resolve("format"), "2\n");

    assertThatThrownBy(() -> DataFolder.lock(folder))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_FOLDER_NEWER))
        .hasMessageContaining("format 2")
        .hasMessageContaining("Use the newer version");
    assertThat(DataFolder.isInUse(folder)).isFalse();
  }

  @Test
  void aFolderWithOtherFilesIsNotTaken() throws Exception {
    Files.writeString(folder.resolve("thesis.tex"), "years of work");

    assertThatThrownBy(() -> DataFolder.lock(folder))
        .hasMessageContaining("holds files that are not Lakestream's");
    assertThatThrownBy(() -> DataFolder.lock(folder))
        .as("the refused attempt leaves nothing that makes the next one pass")
        .hasMessageContaining("holds files that are not Lakestream's");
  }

  @Test
  void aFileInItsPlaceIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> DataFolder.lock(file))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining("Cannot use the data folder " + file);
  }

  @Test
  void tooLittleSpaceNamesFolderFoundAndNeeded() {
    assertThat(new DiskGuard(folder, new DataSize(0)).check()).isEmpty();

    LakestreamException full =
        new DiskGuard(folder, DataSize.parse("900000TB")).check().orElseThrow();

    assertThat(full.code()).isEqualTo(ErrorCode.DATA_FOLDER_FULL);
    assertThat(full)
        .hasMessageContaining(folder.toString())
        .hasMessageMatching("(?s).*\\d+MB are free and 943718400000MB are needed.*");
  }

  @Test
  void withoutAnInstanceTheCommandsSayHowToStartOne() {
    assertThatThrownBy(() -> Instance.open(folder.resolve("none")))
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_RUNNING))
        .hasMessageContaining("lakestream up")
        .hasMessageContaining("--data");
    try (DataFolder starting = DataFolder.lock(folder)) {
      assertThatThrownBy(() -> Instance.open(starting.path()))
          .hasMessageContaining("still starting");
    }
  }
}
