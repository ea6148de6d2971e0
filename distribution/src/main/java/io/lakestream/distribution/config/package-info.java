/**
 * {@code lakestream.yaml} as immutable records with a default for every key. {@link
 * io.lakestream.distribution.config.ConfigReader} is strict: an unknown key is an error that names
 * it, its line and the key that was probably meant.
 */
package io.lakestream.distribution.config;
