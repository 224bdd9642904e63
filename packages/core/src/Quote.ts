/** Quotes untrusted text in a message: short, and without control characters. */
export const quote = (text: string): string => `"${clip(text)}"`

/** The same without quotes, for sentences that have their own. */
export const clip = (text: string): string => {
  const clean = text.slice(0, 101).replaceAll(/\p{Cc}/gu, "\uFFFD")
  return clean.length > 100 ? `${clean.slice(0, 100)}…` : clean
}
