/** Where messages lie over the page: stacked at an edge of the window, so that they neither move the page nor cover each other. */

const base = "pointer-events-none fixed inset-x-3 z-30 flex items-center gap-2"
const edges = {
  top: `${base} top-2 flex-col`,
  bottom: `${base} bottom-3 flex-col-reverse max-md:bottom-20`
}

/** The element at this edge, for portals. It is a part of the content, so that a pointer that moves to it has not left. */
export const edge = (place: keyof typeof edges): Element => {
  const id = `edge-${place}`
  const found = document.getElementById(id)
  if (found !== null) return found
  const made = document.createElement("div")
  made.id = id
  made.className = edges[place]
  return (document.querySelector("main") ?? document.body).appendChild(made)
}
