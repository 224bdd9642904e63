/** Formats a duration in words. The browser runs this function's source, so it uses nothing outside itself. */
export const duration = (seconds: number): string => {
  const units = [
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
    [1, "second"]
  ] as const
  const whole = Math.max(0, Math.round(seconds))
  const largest = units.findIndex(([length]) => whole >= length)
  if (largest < 0) return seconds > 0 ? "less than a second" : "0 seconds"
  let rest = whole
  return units
    .slice(largest, largest + 2)
    .flatMap(([length, name]) => {
      const count = Math.floor(rest / length)
      rest -= count * length
      return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`]
    })
    .join(" ")
}
