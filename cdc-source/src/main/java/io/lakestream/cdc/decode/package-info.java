/**
 * From a source's values to Fluss rows.
 *
 * <p>A source's own converter hands every value over in one of the forms of {@link
 * io.lakestream.cdc.decode.StreamField}, so that the copy and the stream, and all kinds of
 * databases, agree on them. {@link io.lakestream.cdc.decode.RowDecoder} binds those forms to a
 * table's columns and refuses a schema that is not the registered one; a value without an exact
 * home is an {@link io.lakestream.cdc.decode.UnconvertibleValueException}.
 */
package io.lakestream.cdc.decode;
