/** Distribution. */
package io.lakestream.distribution;
