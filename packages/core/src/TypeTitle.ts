/** Display names of monitor and channel types. */

/** The display name of a type without a title: `redis-ping` as "Redis ping". */
export const titleOf = (type: string): string => {
  const words = type.replaceAll("-", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
