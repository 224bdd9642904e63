/**
 * Substring search in linear time. `String.includes` is not linear: searching 60 kB of "abab…" in a similar body of 1 MiB
 * takes half a minute.
 */

/** Shorter needles use the built-in search: its time is at most the product of both lengths. */
const shortLength = 32

/** Knuth-Morris-Pratt; the built-in search finds where to start. */
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

/** For each prefix length: the length of the longest shorter prefix that is also its suffix. */
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
