package io.lakestream.cdc.source;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.Arrays;

/** A password. It prints as stars everywhere; only {@link #reveal} gives it out. */
public final class Secret {
  private final char[] value;

  private Secret(char[] value) {
    this.value = value;
  }

  /** Takes a copy of {@code value}. */
  public static Secret of(char[] value) {
    checkArgument(value != null, "Invalid password: there is none");
    return new Secret(value.clone());
  }

  /** Takes the password from text, for example an environment variable. */
  public static Secret of(String value) {
    checkArgument(value != null, "Invalid password: there is none");
    return new Secret(value.toCharArray());
  }

  /** The password itself. Never log it, never put it into a message. */
  public String reveal() {
    return new String(value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && Arrays.equals(value, secret.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return "***";
  }
}
