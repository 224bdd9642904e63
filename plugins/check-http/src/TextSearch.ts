/**
 * Whether a text holds another, in linear time. `String.includes` does not keep to that: 60 kB of "abab…", looked for in a body
 * of 1 MiB that is like it, keep it busy for half a minute.
 */

/** As much of what is looked for as may be left to the quick search: its time is at most the product of both lengths. */
const shortLength = 32

/** Knuth, Morris and Pratt; the quick search finds where it is worth to begin. */
export const includes = (text: string, part: string): boolean => {
  if (part.length <= shortLength) return text.includes(part)
  const beginning = part.slice(0, shortLength)
  let index = text.indexOf(beginning)
  if (index < 0) return false
  const fallbacks = fallbacksOf(part)
  let held = 0
  for (; index < text.length; index++) {
    if (held === 0 && part.charCodeAt(0) !== text.charCodeAt(index)) {
      index = text.indexOf(beginning, index)
      if (index < 0) return false
    }
    const code = text.charCodeAt(index)
    while (held > 0 && part.charCodeAt(held) !== code) held = fallbacks[held - 1]!
    if (part.charCodeAt(held) === code) held++
    if (held === part.length) return true
  }
  return false
}

/** For each length of a beginning: the length of the longest shorter beginning that it ends with. */
const fallbacksOf = (part: string): Int32Array => {
  const fallbacks = new Int32Array(part.length)
  for (let index = 1, held = 0; index < part.length; index++) {
    const code = part.charCodeAt(index)
    while (held > 0 && part.charCodeAt(held) !== code) held = fallbacks[held - 1]!
    if (part.charCodeAt(held) === code) held++
    fallbacks[index] = held
  }
  return fallbacks
}
