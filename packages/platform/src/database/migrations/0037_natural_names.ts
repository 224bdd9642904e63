/** Names are sorted with their numbers by value: `node-2` before `node-10` (domain/SearchText, `sortKey`). */
const number = "coalesce(nullif(ltrim(part[1], '0'), ''), '0')"

export const naturalNames = `
UPDATE monitors SET name_folded = left(sorted.key, 500) FROM (
  SELECT id, string_agg(CASE WHEN part[1] ~ '^[0-9]' THEN lpad(length(${number})::text, 3, '0') || ${number} ELSE part[1] END,
    '' ORDER BY place) AS key
  FROM monitors, regexp_matches(name_folded, '[0-9]+|[^0-9]+', 'g') WITH ORDINALITY AS found (part, place) GROUP BY id
) sorted WHERE sorted.id = monitors.id AND name_folded ~ '[0-9]';
`
