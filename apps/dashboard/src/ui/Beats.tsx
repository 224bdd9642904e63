/** The newest results of a monitor as a row of bars: one path for each outcome, told apart by height as well as by colour. */
import { memo } from "react"
import { t } from "../locales/text.ts"
import { classes } from "./classes.ts"

/** More results are not drawn. */
export const shownResults = 30
const step = 6
const height = 24

export const outcomes = [
  { letter: "u", className: "fill-good", height: 14, word: "Up" },
  { letter: "g", className: "fill-minor", height: 18, word: "Degraded" },
  { letter: "d", className: "fill-down", height: 24, word: "Down" },
  { letter: "x", className: "fill-faint", height: 6, word: "Unknown" }
] as const

const pathOf = (results: string, letter: string, size: number): string => {
  let path = ""
  const offset = shownResults - results.length
  for (let index = 0; index < results.length; index++)
    if (results[index] === letter) path += `M${(offset + index) * step + 1} ${height}v-${size}h4v${size}z`
  return path
}

const emptyOf = (results: string): string => {
  let path = ""
  for (let index = 0; index < shownResults - results.length; index++) path += `M${index * step + 1} ${height}v-3h4v3z`
  return path
}

const passed = (results: string): number => [...results].filter((letter) => letter === "u" || letter === "g").length

/** `results` has a letter for each result, oldest first: `u` up, `g` degraded, `d` down, `x` unknown. */
export const Beats = memo(({ className, results: all }: { readonly results: string; readonly className?: string }) => {
  const results = all.slice(-shownResults)
  return (
    <svg
      role="img"
      aria-label={
        results === ""
          ? t("No results yet")
          : t("{passed} of the last {count} results passed", { passed: passed(results), count: results.length })
      }
      viewBox={`0 0 ${shownResults * step} ${height}`}
      preserveAspectRatio="none"
      className={classes("bar", className)}
      data-results={results === "" ? "" : results.padStart(shownResults)}
      focusable="false"
    >
      <path d={emptyOf(results)} className="fill-line" />
      {outcomes.map(({ className, height, letter }) => {
        const path = pathOf(results, letter, height)
        return path === "" ? null : <path key={letter} d={path} className={className} />
      })}
    </svg>
  )
})
