/** Uptime in words, for everything that shows a page. */

/**
 * `99.99%`: two decimals, cut and never rounded up, so that it says no more than was reached; a little is still not none.
 */
export const uptimePercent = (percent: number | null): string => {
  if (percent === null) return "unknown"
  if (percent > 0 && percent < 0.01) return "<0.01%"
  const [cut] = /^\d+(?:\.\d{1,2})?/.exec(String(percent)) ?? ["0"]
  return `${Number(cut)}%`
}
