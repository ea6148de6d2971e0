package io.lakestream.tiering.write;

import java.io.IOException;
import java.net.URL;
import java.util.regex.Pattern;

/**
 * Runs code that makes a Hadoop configuration without letting it read Hadoop's default files.
 *
 * <p>Iceberg's Parquet writer makes one per file, and Hadoop then finds and parses hundreds of KB
 * of XML, none of which the writer asks for: more than half of a small round's time.
 */
final class WithoutHadoopFiles extends ClassLoader {
  // Of core, mapred, yarn and hdfs, whichever Hadoop classes have been loaded before.
  private static final Pattern HIDDEN = Pattern.compile("[a-z]+-(default|site)\\.xml");

  private static final ClassLoader INSTANCE =
      new WithoutHadoopFiles(WithoutHadoopFiles.class.getClassLoader());

  /** Something to run that may fail as file access does. */
  @FunctionalInterface
  interface Call<T> {
    T call() throws IOException;
  }

  private WithoutHadoopFiles(ClassLoader parent) {
    super(parent);
  }

  // Hadoop looks in the thread's context class loader, and does without what is not there.
  static <T> T call(Call<T> call) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(INSTANCE);
    try {
      return call.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Override
  public URL getResource(String name) {
    return HIDDEN.matcher(name).matches() ? null : super.getResource(name);
  }
}
