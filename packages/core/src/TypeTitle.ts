/** What people call a type of monitor or channel. */

/** The title of a type whose plugin gives none: `redis-ping` as "Redis ping". */
export const titleOf = (type: string): string => {
  const words = type.replaceAll("-", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
