/** Formats uptime for pages, badges and feeds. */

/** `99.99%`: two decimals, truncated so that it never overstates; a small uptime is not shown as 0. */
export const uptimePercent = (percent: number | null): string => {
  if (percent === null) return "unknown"
  if (percent > 0 && percent < 0.01) return "<0.01%"
  const [cut] = /^\d+(?:\.\d{1,2})?/.exec(String(percent)) ?? ["0"]
  return `${Number(cut)}%`
}
