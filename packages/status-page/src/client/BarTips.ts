/// <reference lib="dom" />
/**
 * The tooltip of bars, by mouse, touch and keyboard: one for all bars of a page. A bar is a slider, or belongs to a row of a
 * grid, whose arrow keys move through it. Status pages and the dashboard share it. Runs in the browser and uses nothing
 * outside itself.
 */

export interface BarTips {
  /** Turns the bars below a node into sliders. */
  readonly prepare: (root: ParentNode) => void
  /** Must be called after the contents of bars may have changed. */
  readonly changed: () => void
  /** Ends the tooltip. */
  readonly stop: () => void
}

/** What a bar consists of. */
export interface BarContents {
  readonly countOf: (bar: HTMLElement) => number
  /** One column in lines, the first of which is its title. */
  readonly linesOf: (bar: HTMLElement, index: number) => ReadonlyArray<string>
  /** Tells screen readers of a column of a bar that is no slider. */
  readonly say?: (text: string) => void
}

export const barTips = ({ countOf, linesOf, say }: BarContents): BarTips => {
  const element = (id: string) => {
    const made = document.createElement("div")
    made.id = id
    made.hidden = true
    made.setAttribute("aria-hidden", "true")
    return made
  }
  const [tip, mark] = [element("tip"), element("mark")]
  document.body.append(mark, tip)

  /** The bar and the column of the tooltip, and whether it stays when the pointer leaves. */
  let shown: { readonly bar: HTMLElement; readonly index: number; readonly kept: boolean } | undefined

  const isSlider = (bar: HTMLElement) => bar.getAttribute("role") === "slider"
  const indexOf = (bar: HTMLElement) => {
    const last = countOf(bar) - 1
    if (isSlider(bar)) return Math.min(Number(bar.getAttribute("aria-valuenow")) - 1, last)
    return shown?.bar === bar ? Math.min(shown.index, last) : last + 1
  }

  const select = (bar: HTMLElement, wanted: number): number => {
    const index = Math.max(0, Math.min(countOf(bar) - 1, wanted))
    if (isSlider(bar)) {
      bar.setAttribute("aria-valuenow", String(index + 1))
      bar.setAttribute("aria-valuetext", linesOf(bar, index).join(", "))
    }
    return index
  }

  const hide = () => {
    shown = undefined
    contents.disconnect()
    tip.hidden = mark.hidden = true
  }

  /** Places the tooltip above the bar if there is room, and within the window. */
  const put = (bar: HTMLElement, index: number) => {
    const box = bar.getBoundingClientRect()
    const width = box.width / countOf(bar)
    const left = box.left + index * width
    const { offsetHeight, offsetWidth } = tip
    const edge = document.documentElement.clientWidth - offsetWidth - 8
    const above = box.top - offsetHeight - 6
    mark.style.left = `${left + window.scrollX}px`
    mark.style.top = `${box.bottom + window.scrollY + 2}px`
    mark.style.width = `${width}px`
    tip.style.left = `${Math.max(8, Math.min(edge, left + width / 2 - offsetWidth / 2)) + window.scrollX}px`
    tip.style.top = `${(above < 0 ? box.bottom + 8 : above) + window.scrollY}px`
  }

  const show = (bar: HTMLElement, index: number, kept: boolean) => {
    const line = (text: string, at: number) => {
      const made = document.createElement(at === 0 ? "b" : "span")
      made.textContent = text
      return made
    }
    tip.replaceChildren(...linesOf(bar, index).map(line))
    if (shown?.bar !== bar) {
      contents.disconnect()
      contents.observe(bar, { attributeFilter: ["data-days", "data-results"] })
    }
    shown = { bar, index, kept }
    tip.hidden = mark.hidden = false
    put(bar, index)
  }

  const changed = () => {
    if (shown === undefined) return
    const { bar, index, kept } = shown
    if (bar.isConnected && countOf(bar) > 0) show(bar, Math.min(index, countOf(bar) - 1), kept)
    else hide()
  }
  // Bars may get new contents below a pointer that rests.
  const contents = new MutationObserver(changed)

  const barOf = (target: EventTarget | null) => {
    const bar = target instanceof Element ? target.closest<HTMLElement>(".bar") : null
    return bar !== null && countOf(bar) > 0 ? bar : null
  }

  const point = (event: PointerEvent) => {
    const bar = barOf(event.target)
    if (bar !== null) {
      const box = bar.getBoundingClientRect()
      const index = select(bar, Math.floor(((event.clientX - box.left) / box.width) * countOf(bar)))
      show(bar, index, event.pointerType !== "mouse" || bar === document.activeElement)
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

  const ofRow = ({ key, target }: KeyboardEvent) =>
    target instanceof Element && target.role === "row" && (key === "ArrowLeft" || key === "ArrowRight")
      ? barOf(target.querySelector(".bar"))
      : null

  const press = (event: KeyboardEvent) => {
    const slider = barOf(event.target)
    const bar = slider ?? ofRow(event)
    const step = steps[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (bar === null || step === undefined) {
      // Keys that are not of the bar may open something else.
      if (event.key === "Escape" || slider === null) hide()
      return
    }
    event.preventDefault()
    const index = select(bar, indexOf(bar) + step)
    show(bar, index, true)
    if (!isSlider(bar)) say?.(linesOf(bar, index).join(", "))
  }

  const focus = ({ target }: FocusEvent) => {
    const bar = barOf(target)
    if (bar !== null && isSlider(bar)) show(bar, indexOf(bar), true)
    // A finger on a bar gives the focus to the row around it.
    else if (shown?.kept && !(target as Element).contains(shown.bar)) hide()
  }

  /** A finger on a bar asks for its column; it does not follow the link around it. A mouse follows it, and leaves the bar. */
  const click = (event: MouseEvent) => {
    const bar = barOf(event.target)
    if (bar === null || isSlider(bar)) return
    if ((event as PointerEvent).pointerType === "mouse") hide()
    else event.stopPropagation()
  }

  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener("pointermove", point, { signal })
  document.addEventListener("pointerdown", point, { signal })
  document.addEventListener("click", click, { signal, capture: true })
  document.addEventListener("keydown", press, { signal })
  document.addEventListener("focusin", focus, { signal })
  document.addEventListener("focusout", () => shown?.kept && isSlider(shown.bar) && hide(), { signal })
  window.addEventListener("resize", hide, { signal })

  return {
    prepare: (root) => {
      for (const bar of root.querySelectorAll<HTMLElement>(".bar")) {
        const count = countOf(bar)
        bar.setAttribute("role", "slider")
        bar.tabIndex = 0
        bar.setAttribute("aria-valuemin", "1")
        bar.setAttribute("aria-valuemax", String(count))
        select(bar, count - 1)
        // Hints for readers without this tooltip.
        for (const hint of bar.querySelectorAll("rect")) hint.remove()
      }
    },
    changed: () => {
      for (const bar of document.querySelectorAll<HTMLElement>(".bar[role=slider]")) select(bar, indexOf(bar))
      changed()
    },
    stop: () => {
      listening.abort()
      contents.disconnect()
      tip.remove()
      mark.remove()
    }
  }
}
