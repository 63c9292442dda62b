-- public: all that could be suppressed
SELECT
  item
FROM public_item
ORDER BY
  item;
