/** Union read. */
package io.lakestream.union;
