/**
 * What a read reads, decided before it starts.
 *
 * <p>{@link io.lakestream.union.plan.ReadPoint} says which state is wanted, {@link
 * io.lakestream.union.plan.Cuts} turns it into a cut, {@link io.lakestream.union.plan.Planner} into
 * a {@link io.lakestream.union.plan.ReadPlan}. Its {@link io.lakestream.union.plan.ReadToken} names
 * the same rows for as long as they are kept.
 */
package io.lakestream.union.plan;
