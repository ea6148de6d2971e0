-- Foreign keys, with an index wherever the workload deletes or moves the row they point to.
ALTER TABLE public.nation ADD FOREIGN KEY (n_regionkey) REFERENCES public.region (r_regionkey);
ALTER TABLE public.supplier ADD FOREIGN KEY (s_nationkey) REFERENCES public.nation (n_nationkey);
ALTER TABLE public.customer ADD FOREIGN KEY (c_nationkey) REFERENCES public.nation (n_nationkey);
ALTER TABLE public.partsupp ADD FOREIGN KEY (ps_partkey) REFERENCES public.part (p_partkey);
ALTER TABLE public.partsupp ADD FOREIGN KEY (ps_suppkey) REFERENCES public.supplier (s_suppkey);
ALTER TABLE public.orders ADD FOREIGN KEY (o_custkey) REFERENCES public.customer (c_custkey);
ALTER TABLE public.lineitem ADD FOREIGN KEY (l_orderkey) REFERENCES public.orders (o_orderkey);
ALTER TABLE public.lineitem ADD FOREIGN KEY (l_partkey, l_suppkey)
  REFERENCES public.partsupp (ps_partkey, ps_suppkey);
CREATE INDEX lineitem_part_supplier ON public.lineitem (l_partkey, l_suppkey);
