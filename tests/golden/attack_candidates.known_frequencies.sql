-- known_frequencies: the frequencies to perturb
SELECT
  k.id AS id,
  k.nano AS nano
FROM known_set AS k
ORDER BY
  id;
