/** Capture. */
package io.lakestream.cdc;
