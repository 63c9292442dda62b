-- entropy: random and secret: with it, numbers lead back to ids
SELECT
  'a secret' AS secret;
