/** Compares entity tags (RFC 9110 §13.1.2). */

/** Longer values match nothing; RequestBounds refuses them before. */
const maxLength = 2_048

const opaque = (tag: string): string => {
  const trimmed = tag.trim()
  return trimmed.startsWith("W/") ? trimmed.slice(2) : trimmed
}

/** Whether an `If-None-Match` names this version, so that the response is 304. Weak comparison. */
export const matches = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.length <= maxLength &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((other) => opaque(other) === opaque(tag)))
