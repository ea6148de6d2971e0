/** Tiering. */
package io.lakestream.tiering;
