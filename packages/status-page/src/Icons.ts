/** Status icons. */
import { type Html, html } from "./Html.ts"
import { lowered, outlines, strokes } from "./Shapes.ts"
import type { Tone } from "./State.ts"

const tones = Object.keys(outlines) as ReadonlyArray<Tone>

const symbol = (tone: Tone): Html => html`
  <symbol id=${`icon-${tone}`} viewBox="0 0 16 16">
    <path d=${outlines[tone]} fill="currentColor" />
    <path class="glyph" d=${strokes[tone]} transform=${lowered(tone)} />
  </symbol>
`

/** Defines all icons; {@link icon} refers to them. */
export const sprite = (): Html =>
  html`<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">${tones.map(symbol)}</svg>`

/** A decorative icon, beside text with the same meaning. */
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

/** The favicon of a state, as a data URI. */
export const favicon = (tone: Tone): string => {
  const glyph = `<path d="${strokes[tone]}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" transform="${lowered(tone) ?? ""}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${outlines[tone]}" fill="${colours[tone]}"/>${glyph}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
