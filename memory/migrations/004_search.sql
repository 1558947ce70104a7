-- A page of items is found by first_items_* (memory.vectors), which every migration writes anew.
DROP FUNCTION IF EXISTS page_items_cosine(text, text, text, halfvec, bigint, bigint);
DROP FUNCTION IF EXISTS page_items_l2(text, text, text, halfvec, bigint, bigint);
DROP FUNCTION IF EXISTS page_items_inner_product(text, text, text, halfvec, bigint, bigint);
