/// <reference lib="dom" />
/**
 * Tooltips for the days of the bars, by mouse, touch and keyboard. Each bar is a slider; all share one tooltip. Runs in the
 * browser and uses nothing outside itself.
 */

export interface DayTips {
  /** Turns the bars below a node into sliders. */
  readonly prepare: (root: ParentNode) => void
  /** Must be called after the bars' days may have changed. */
  readonly changed: () => void
}

export const dayTips = (duration: (seconds: number) => string, locale: string): DayTips => {
  // The days of the bar are days in UTC.
  const long = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" })

  const element = (id: string) => {
    const made = document.createElement("div")
    made.id = id
    made.hidden = true
    made.setAttribute("aria-hidden", "true")
    return made
  }
  const [tip, mark] = [element("tip"), element("mark")]
  document.body.append(mark, tip)

  /** The bar of the tooltip, and whether the tooltip stays when the pointer leaves. */
  let shown: { readonly bar: HTMLElement; readonly kept: boolean } | undefined

  const daysOf = (bar: HTMLElement) => (bar.dataset["days"] ?? "").split(",")
  const indexOf = (bar: HTMLElement) => Math.min(Number(bar.getAttribute("aria-valuenow")), daysOf(bar).length) - 1

  const textOf = (bar: HTMLElement, index: number): ReadonlyArray<string> => {
    const date = long.format(Date.parse(bar.dataset["from"]!) + index * 86_400_000)
    const [uptime, downtime] = daysOf(bar)[index]!.split("/")
    return !uptime
      ? [date, "No data"]
      : [date, `${uptime}% up`, downtime ? `down for ${duration(Number(downtime))}` : "no downtime"]
  }

  const select = (bar: HTMLElement, index: number) => {
    const day = Math.max(0, Math.min(daysOf(bar).length - 1, index))
    bar.setAttribute("aria-valuenow", String(day + 1))
    bar.setAttribute("aria-valuetext", textOf(bar, day).join(", "))
  }

  const hide = () => {
    shown = undefined
    tip.hidden = mark.hidden = true
  }

  /** Places the tooltip above the bar if there is room, and within the window. */
  const put = (bar: HTMLElement) => {
    const box = bar.getBoundingClientRect()
    const width = box.width / daysOf(bar).length
    const left = box.left + indexOf(bar) * width
    const { offsetHeight, offsetWidth } = tip
    const edge = document.documentElement.clientWidth - offsetWidth - 8
    const above = box.top - offsetHeight - 6
    mark.style.left = `${left + window.scrollX}px`
    mark.style.top = `${box.bottom + window.scrollY + 2}px`
    mark.style.width = `${width}px`
    tip.style.left = `${Math.max(8, Math.min(edge, left + width / 2 - offsetWidth / 2)) + window.scrollX}px`
    tip.style.top = `${(above < 0 ? box.bottom + 8 : above) + window.scrollY}px`
  }

  const show = (bar: HTMLElement, kept: boolean) => {
    const [date, uptime, downtime] = textOf(bar, indexOf(bar))
    const line = (text: string | undefined, name: "b" | "span") => {
      const made = document.createElement(name)
      made.textContent = text ?? ""
      return made
    }
    tip.replaceChildren(line(date, "b"), line(uptime, "span"), line(downtime, "span"))
    shown = { bar, kept }
    tip.hidden = mark.hidden = false
    put(bar)
  }

  const barOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>("[role=slider].bar") : null

  const point = (event: PointerEvent) => {
    const bar = barOf(event.target)
    if (bar !== null) {
      const box = bar.getBoundingClientRect()
      select(bar, Math.floor(((event.clientX - box.left) / box.width) * daysOf(bar).length))
      show(bar, event.type === "pointerdown" || bar === document.activeElement)
    } else if (event.type === "pointerdown" || (shown && !shown.kept && !tip.contains(event.target as Node))) hide()
  }

  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -7,
    PageUp: 7,
    Home: -Infinity,
    End: Infinity
  }

  document.addEventListener("pointermove", point)
  document.addEventListener("pointerdown", point)
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide()
    const bar = barOf(event.target)
    const step = steps[event.key]
    if (bar === null || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    select(bar, indexOf(bar) + step)
    show(bar, true)
  })
  document.addEventListener("focusin", (event) => {
    const bar = barOf(event.target)
    if (bar !== null) show(bar, true)
    else if (shown?.kept) hide()
  })
  document.addEventListener("focusout", () => shown?.kept && hide())
  window.addEventListener("resize", hide)

  return {
    prepare: (root) => {
      for (const bar of root.querySelectorAll<HTMLElement>(".bar")) {
        const days = daysOf(bar).length
        bar.setAttribute("role", "slider")
        bar.tabIndex = 0
        bar.setAttribute("aria-valuemin", "1")
        bar.setAttribute("aria-valuemax", String(days))
        select(bar, days - 1)
      }
    },
    changed: () => {
      for (const bar of document.querySelectorAll<HTMLElement>(".bar")) select(bar, indexOf(bar))
      if (shown && !shown.bar.isConnected) hide()
      else if (shown) show(shown.bar, shown.kept)
    }
  }
}
