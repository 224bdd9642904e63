/**
 * Masks secrets in log lines, because libraries may include them in their messages. Each expression reads a text in time
 * proportional to its length, because strangers choose paths, and targets what failures say.
 */

const masks: ReadonlyArray<readonly [RegExp, string]> = [
  // User and password of any URL.
  [/\b([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/@"']+@/gi, "$1••••@"],
  [/\b(km[ous]?_)[0-9A-Za-z]{8,}/g, "$1••••"],
  // Heartbeat tokens, in URLs and on their own.
  [/(\/heartbeat\/)[^\s/?#"']+/gi, "$1••••"],
  // Addresses of integrations.
  [/(\/inbound\/)[^\s/?#"']+/gi, "$1••••"],
  // Addresses of calendars.
  [/(\/calendars\/)[^\s/?#"']+/gi, "$1••••"],
  // Links that acknowledge an alert.
  [/(\/acknowledgements\/)[^\s/?#"']+/gi, "$1••••"],
  [/(?<![0-9A-Za-z])[0-9A-Za-z]{43}(?![0-9A-Za-z])/g, "••••"],
  [/\b(bearer|basic)\s+[\w.~+/-]+=*/gi, "$1 ••••"],
  // Also in JSON within JSON.
  [
    /((?:\\?")?(?:password|secret|token|authorization|cookie|x-api-key|set-cookie)(?:\\?")?\s*[:=]\s*(?:\\?")?)[^\s",;}\\]+/gi,
    "$1••••"
  ]
]

/** Masks what looks like a secret. */
export const mask = (text: string): string =>
  masks.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)

/** Masks every string in a value. */
export const maskAll = <A>(value: A): A => {
  if (typeof value === "string") return mask(value) as A
  if (Array.isArray(value)) return value.map(maskAll) as A
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskAll(one)])) as A
}
