/** Pictures of states: each has a shape of its own, so that none depends on its colour. */
import { type Html, html } from "./Html.ts"
import type { Tone } from "./State.ts"

/** Strokes on a field of 16 by 16, within a ring of radius 7. */
const strokes: Record<Tone, string> = {
  up: "M4.9 8.3l2.1 2.1 4.2-4.6",
  degraded: "M8 4.6v4.2M8 11.2v.1",
  down: "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  maintenance: "M8 7.4v4M8 4.7v.1",
  quiet: "M5 8h6"
}

const outlines: Record<Tone, string> = {
  up: "M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1z",
  degraded: "M8 .9a1.2 1.2 0 0 1 1 .6l6.2 11.3a1.2 1.2 0 0 1-1 1.8H1.8a1.2 1.2 0 0 1-1-1.8L7 1.5A1.2 1.2 0 0 1 8 .9z",
  down: "M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z",
  maintenance: "M3.5 1h9A2.5 2.5 0 0 1 15 3.5v9a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 1 12.5v-9A2.5 2.5 0 0 1 3.5 1z",
  quiet: "M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1z"
}

const tones = Object.keys(outlines) as ReadonlyArray<Tone>

/** The triangle's middle lies lower than that of the others. */
const lowered = (tone: Tone) => (tone === "degraded" ? "translate(0 .8)" : undefined)

const symbol = (tone: Tone): Html => html`
  <symbol id=${`icon-${tone}`} viewBox="0 0 16 16">
    <path d=${outlines[tone]} fill="currentColor" />
    <path class="glyph" d=${strokes[tone]} transform=${lowered(tone)} />
  </symbol>
`

/** All icons once; {@link icon} refers to them. */
export const sprite = (): Html =>
  html`<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">${tones.map(symbol)}</svg>`

/** An icon beside the words that say the same. */
export const icon = (tone: Tone): Html =>
  html`<svg class="icon" width="16" height="16" aria-hidden="true" focusable="false">
    <use href=${`#icon-${tone}`} />
  </svg>`

const colours: Record<Tone, string> = {
  up: "#16794a",
  degraded: "#946200",
  down: "#c0272d",
  maintenance: "#2f5fd0",
  quiet: "#6b7480"
}

/** The state as the tab's icon: a data URI. */
export const favicon = (tone: Tone): string => {
  const glyph = `<path d="${strokes[tone]}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" transform="${lowered(tone) ?? ""}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${outlines[tone]}" fill="${colours[tone]}"/>${glyph}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
