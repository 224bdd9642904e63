/// <reference lib="dom" />
/**
 * The page's script: local times, tooltips of the bars, loading more monitors on scroll, and a refresh every 30 seconds while
 * the page is visible. Its source is sent without a build, so it uses only its parameters.
 */
import type { barTips } from "./client/BarTips.ts"
import type { dayLines } from "./client/DayLines.ts"
import type { morph } from "./client/Morph.ts"
import type { times } from "./client/Times.ts"
import type { duration } from "./Duration.ts"

interface Parts {
  readonly barTips: typeof barTips
  readonly dayLines: typeof dayLines
  readonly duration: typeof duration
  readonly morph: typeof morph
  readonly times: typeof times
}

export const client = ({ barTips, dayLines, duration, morph, times }: Parts): void => {
  const period = 30_000
  // Dates and durations stand between the words of the page. Its readers keep their own way of writing its language.
  const { lang } = document.documentElement
  const locale = navigator.languages.find((own) => own === lang || own.startsWith(`${lang}-`)) ?? lang
  const clock = times(locale)
  const tips = barTips(dayLines(duration, locale))
  const here = location.pathname + location.search

  const find = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document) =>
    root.querySelector<E>(selector)
  const parse = (markup: string) => new DOMParser().parseFromString(markup, "text/html")
  const prepare = (root: ParentNode) => {
    clock.show(root)
    tips.prepare(root)
  }

  const announce = (text: string) => {
    find("#announcer")!.textContent = text
  }

  /** The last response of each URL that the page consists of, in order. */
  const answers = new Map<string, { readonly tag: string | null; readonly text: string }>([
    [here, { tag: null, text: "" }]
  ])

  /** Returns whether the response changed. */
  const read = async (address: string): Promise<boolean> => {
    const response = await window.fetch(address, { cache: "no-cache", signal: AbortSignal.timeout(20_000) })
    if (!response.ok) throw new Error(`${response.status}`)
    const before = answers.get(address)
    const tag = response.headers.get("etag")
    if (tag !== null && tag === before?.tag) return false
    const text = await response.text()
    // A captive portal may respond instead of the server.
    if (!text.includes('id="next"')) throw new Error("Not a status page")
    answers.set(address, { tag, text })
    return text !== before?.text
  }

  /** Appends a chunk; a group that continues from the previous chunk is merged. */
  const join = (page: ParentNode, chunk: ParentNode) => {
    for (const group of chunk.querySelectorAll(".group")) {
      const begun = find(`#list > #${group.id}`, page)
      if (begun === null) find("#list", page)!.append(group)
      else find("ul", begun)!.append(...find("ul", group)!.children)
    }
    find("#next", page)!.replaceWith(find("#next", chunk)!)
  }

  // Changes of the page run one after another, so that a refresh never sees a partly loaded chunk.
  let turn = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work)
  }

  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(false), {
    rootMargin: "800px 0px"
  })
  const watch = () => {
    observer.disconnect()
    const link = find("#next a")
    if (link !== null) observer.observe(link)
  }

  /** @param asked whether the reader clicked the link, so that focus moves to the new monitors. */
  const more = (asked: boolean) =>
    inTurn(async () => {
      const link = find<HTMLAnchorElement>("#next a")
      if (link === null) return
      observer.disconnect()
      const list = find("#list")!
      list.setAttribute("aria-busy", "true")
      try {
        const address = `${link.search}&part=monitors`
        await read(address)
        const chunk = parse(answers.get(address)!.text)
        const added = Array.from(chunk.querySelectorAll(".monitor"), ({ id }) => id)
        const followed = asked || link === document.activeElement
        prepare(chunk)
        join(document, chunk)
        const heading = find(`#${added[0]} :is(h3, h4)`)
        if (followed && heading !== null) {
          heading.tabIndex = -1
          heading.focus()
        }
        announce(`${added.length} more monitors are shown.`)
        watch()
      } catch {
        // Observed again only after the next refresh, to avoid an endless loop of requests.
        announce("More monitors could not be loaded. Try again.")
      }
      list.removeAttribute("aria-busy")
    })

  /** Renders the responses; changes only the elements that differ. */
  const replace = () => {
    const [whole, ...chunks] = Array.from(answers.values(), ({ text }) => parse(text))
    const next = whole!
    // The server was updated and needs another version of this script.
    if (find("script", next)?.getAttribute("src") !== find("script")?.getAttribute("src")) return location.reload()
    for (const chunk of chunks) join(next, chunk)
    prepare(next)
    const before = find("#state")!.textContent
    const focused = document.activeElement
    for (const part of ["header", "main"]) morph(find(part)!, find(part, next)!)
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true })
    tips.changed()
    document.title = next.title
    find<HTMLLinkElement>("link[rel=icon]")!.href = find<HTMLLinkElement>("link[rel=icon]", next)!.href
    const state = find("#state")!.textContent
    if (state !== before) announce(`Status changed: ${state}.`)
  }

  /** Updates the time of the last check when nothing changed. */
  const touch = () => {
    const updated = find<HTMLTimeElement>("#updated time")!
    updated.dateTime = new Date().toISOString()
    clock.show(updated.parentElement!)
  }

  let checkedAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  let changed = false

  const refresh = () =>
    inTurn(async () => {
      try {
        for (const address of answers.keys()) changed = (await read(address)) || changed
        if (changed) replace()
        else touch()
        changed = false
        find("#stale")!.hidden = true
      } catch {
        find("#stale")!.hidden = false
      }
      watch()
      checkedAt = Date.now()
      schedule()
    })

  const schedule = () => {
    clearTimeout(timer)
    if (document.visibilityState === "visible")
      timer = setTimeout(refresh, Math.max(0, checkedAt + period - Date.now()))
  }

  /** Opens the incident that the URL's fragment refers to. */
  const reveal = () => {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
    const folded = target?.closest("details")
    if (!folded || folded.open) return
    folded.open = true
    target!.scrollIntoView()
  }

  prepare(document)
  watch()
  reveal()
  schedule()
  setInterval(() => document.visibilityState === "visible" && clock.show(document), 10_000)
  window.addEventListener("hashchange", reveal)
  document.addEventListener("visibilitychange", () => {
    clock.show(document)
    schedule()
  })
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("#next a") : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    more(true)
  })
}
