/// <reference lib="dom" />
/**
 * Updates a live element to match a new one and changes only the differences, so that focus, scroll position and open details
 * are kept. Matches elements by ID. Runs in the browser and uses nothing outside itself.
 */
export const morph = (live: Element, next: Element): void => {
  /** Attributes controlled by the reader, not by the server. */
  const own = new Set(["open", "aria-busy", "aria-valuenow", "aria-valuetext"])

  const attributes = (live: Element, next: Element) => {
    for (const name of live.getAttributeNames()) {
      if (!own.has(name) && !next.hasAttribute(name)) live.removeAttribute(name)
    }
    for (const name of next.getAttributeNames()) {
      const value = next.getAttribute(name)!
      if (live.getAttribute(name) !== value && !(own.has(name) && live.hasAttribute(name)))
        live.setAttribute(name, value)
    }
  }

  const idOf = (node: Node) => (node instanceof Element ? node.id : "")

  const children = (live: Element, next: Element) => {
    const wanted = new Set(Array.from(next.children, idOf))
    for (const child of Array.from(live.children)) if (child.id !== "" && !wanted.has(child.id)) child.remove()
    const known = new Map(Array.from(live.children, (child) => [child.id, child]))
    let place: ChildNode | null = live.firstChild
    for (const node of Array.from(next.childNodes)) {
      const id = idOf(node)
      const same: ChildNode | null | undefined =
        id === "" ? (place !== null && idOf(place) === "" ? place : null) : known.get(id)
      if (same && same.nodeName === node.nodeName) {
        if (same === place) place = place.nextSibling
        else live.insertBefore(same, place)
        update(same, node)
      } else live.insertBefore(node, place)
    }
    while (place !== null) {
      const rest: ChildNode = place
      place = rest.nextSibling
      rest.remove()
    }
  }

  const update = (live: Node, next: Node) => {
    if (live.isEqualNode(next)) return
    if (live instanceof Element && next instanceof Element) {
      attributes(live, next)
      children(live, next)
    } else live.nodeValue = next.nodeValue
  }

  update(live, next)
}
