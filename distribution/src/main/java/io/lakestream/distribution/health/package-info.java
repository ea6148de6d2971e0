/**
 * What operators see of capture, wherever it runs: {@link
 * io.lakestream.distribution.health.CaptureHttp} serves {@code /livez}, {@code /readyz} and {@code
 * /metrics}.
 */
package io.lakestream.distribution.health;
