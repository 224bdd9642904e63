/// <reference lib="dom" />
/** What the tooltip says of a day on a status page. Runs in the browser and uses nothing outside itself. */

/** The number of days of a bar, and a day in lines: the date, the uptime, the downtime. */
export const dayLines = (duration: (seconds: number) => string, locale: string) => {
  // The days of the bar are days in UTC.
  const long = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" })
  const daysOf = (bar: HTMLElement) => (bar.dataset["days"] ?? "").split(",")
  return {
    countOf: (bar: HTMLElement): number => daysOf(bar).length,
    linesOf: (bar: HTMLElement, index: number): ReadonlyArray<string> => {
      const date = long.format(Date.parse(bar.dataset["from"]!) + index * 86_400_000)
      const [uptime, downtime] = daysOf(bar)[index]!.split("/")
      return !uptime
        ? [date, "No data"]
        : [date, `${uptime}% up`, downtime ? `down for ${duration(Number(downtime))}` : "no downtime"]
    }
  }
}
