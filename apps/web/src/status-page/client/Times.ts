/// <reference lib="dom" />
/** Instants in the reader's time zone and language. Runs in the browser and uses nothing outside itself. */

export interface Times {
  /** Tells every instant below a node. */
  readonly show: (root: ParentNode) => void
}

export const times = (): Times => {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions()
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
  const month = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
  const units = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60]
  ] as const

  // A clock that is behind must not make the past the future.
  const ago = (at: number): string => {
    const seconds = Math.max(0, (Date.now() - at) / 1000)
    const [unit, length] = units.find(([, length]) => seconds >= length) ?? ["second", Infinity]
    return relative.format(0 - Math.floor(seconds / length), unit)
  }

  const tell = (element: HTMLTimeElement): string => {
    const at = Date.parse(element.dateTime)
    switch (element.dataset["as"]) {
      case "ago":
        return ago(at)
      case "both":
        return `${moment.format(at)} (${ago(at)})`
      case "month":
        return month.format(at)
      default:
        return moment.format(at)
    }
  }

  return {
    show: (root) => {
      for (const element of root.querySelectorAll<HTMLTimeElement>("time[data-as]")) {
        const text = tell(element)
        if (element.textContent !== text) element.textContent = text
        if (element.dataset["as"] === "ago") element.title = moment.format(Date.parse(element.dateTime))
        if (!locale.startsWith("en")) element.lang = locale
      }
    }
  }
}
