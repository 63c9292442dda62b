-- check_cover: how many hold the rest, but not the secret
SELECT
  w.tid AS tid,
  w.secret AS secret,
  w.known AS known,
  COUNT(m.other) - COUNT(e.place) AS covers,
  COUNT(e.place) + 1 AS support,
  COUNT(CASE WHEN m.other < w.tid AND m.size = w.known + 1 THEN e.place END) AS repeats
FROM check_whole AS w
LEFT JOIN check_match AS m
  ON m.whole = w.whole
LEFT JOIN check_secret AS e
  ON e.place = m.other * 2654435761 + w.secret
GROUP BY
  w.tid,
  w.secret,
  w.known;
