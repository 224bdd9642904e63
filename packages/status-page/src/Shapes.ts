/** The shapes of the states, for status pages and the dashboard. Each has its own outline, so that none depends on its colour. */
import type { Tone } from "./State.ts"

/** Strokes on a 16 by 16 grid, within a ring of radius 7. */
export const strokes: Record<Tone, string> = {
  up: "M4.9 8.3l2.1 2.1 4.2-4.6",
  degraded: "M8 4.6v4.2M8 11.2v.1",
  down: "M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  maintenance: "M8 7.4v4M8 4.7v.1",
  quiet: "M5 8h6"
}

export const outlines: Record<Tone, string> = {
  up: "M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1z",
  degraded: "M8 .9a1.2 1.2 0 0 1 1 .6l6.2 11.3a1.2 1.2 0 0 1-1 1.8H1.8a1.2 1.2 0 0 1-1-1.8L7 1.5A1.2 1.2 0 0 1 8 .9z",
  down: "M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z",
  maintenance: "M3.5 1h9A2.5 2.5 0 0 1 15 3.5v9a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 1 12.5v-9A2.5 2.5 0 0 1 3.5 1z",
  quiet: "M8 1a7 7 0 1 0 0 14A7 7 0 1 0 8 1z"
}

/** The triangle's middle is lower than that of the other shapes. */
export const lowered = (tone: Tone): string | undefined => (tone === "degraded" ? "translate(0 .8)" : undefined)
