/// <reference lib="dom" />
/** Shows instants in the reader's time zone, in the language of the page. Runs in the browser and uses nothing outside itself. */

export interface Times {
  /** Localises every instant below a node. */
  readonly show: (root: ParentNode) => void
}

export const times = (locale: string): Times => {
  // The clock is the reader's: 24-hour locales write 08:05, 12-hour locales 8:05.
  const { hourCycle = "h23" } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions()
  const hour = { hour: hourCycle === "h23" ? "2-digit" : "numeric", minute: "2-digit", hourCycle } as const
  const day = { month: "short", day: "numeric", ...hour } as const
  const ofOneDay = new Intl.DateTimeFormat(locale, hour)
  const ofThisYear = new Intl.DateTimeFormat(locale, day)
  const ofAnyYear = new Intl.DateTimeFormat(locale, { ...day, year: "numeric" })
  const month = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60]
  ] as const

  // Clamped, so that a slow local clock does not show past times as future.
  const ago = (at: number): string => {
    const seconds = Math.max(0, (Date.now() - at) / 1000)
    const [unit, length] = units.find(([, length]) => seconds >= length) ?? ["second", Infinity]
    return relative.format(0 - Math.floor(seconds / length), unit)
  }

  /** Omits the current year. */
  const moment = (at: number): string =>
    (new Date(at).getFullYear() === new Date().getFullYear() ? ofThisYear : ofAnyYear).format(at)

  const until = (at: number, from: number): string =>
    new Date(at).toDateString() === new Date(from).toDateString() ? ofOneDay.format(at) : moment(at)

  const textOf = (element: HTMLTimeElement): string => {
    const at = Date.parse(element.dateTime)
    switch (element.dataset["as"]) {
      case "ago":
        return ago(at)
      case "both":
        return `${moment(at)} (${ago(at).replaceAll(" ", "\u00a0")})`
      case "until":
        return until(at, Date.parse(element.dataset["from"]!))
      case "month":
        return month.format(at)
      default:
        return moment(at)
    }
  }

  return {
    show: (root) => {
      for (const element of root.querySelectorAll<HTMLTimeElement>("time[data-as]")) {
        const text = textOf(element)
        if (element.textContent !== text) element.textContent = text
        if (element.dataset["as"] === "ago") element.title = ofAnyYear.format(Date.parse(element.dateTime))
      }
    }
  }
}
