/**
 * Capture as a process of its own: {@link io.lakestream.distribution.serve.CdcRunCommand} is {@code
 * lakestream cdc run}.
 */
package io.lakestream.distribution.serve;
