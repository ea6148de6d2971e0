package io.lakestream.distribution.laptop;

import io.lakestream.distribution.ChildJvm;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Another process that tries to take a data folder. */
final class FolderProbe {
  static final int TAKEN = 0;
  static final int REFUSED = 3;

  private FolderProbe() {}

  /** Exit code of a process that locks the folder and gives it back. */
  static int lockElsewhere(Path folder) throws IOException, InterruptedException {
    List<String> command = ChildJvm.command("64m", FolderProbe.class, folder.toString());
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  public static void main(String[] arguments) {
    try {
      DataFolder.lock(Path.of(arguments[0])).close();
      System.exit(TAKEN);
    } catch (LakestreamException e) {
      if (e.code() != ErrorCode.DATA_FOLDER_IN_USE) {
        throw e;
      }
      System.exit(REFUSED);
    }
  }
}
