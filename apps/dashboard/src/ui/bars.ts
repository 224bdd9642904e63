/** The one tooltip of the bars in the dashboard: days of uptime, and newest results. */
import { barTips } from "@kanmon/status-page/client/BarTips"
import { t } from "../locales/text.ts"
import { announce } from "./announce.ts"
import { outcomes } from "./Beats.tsx"
import { dayLines } from "./DayBars.tsx"

/** A result in lines: what it was, and how many came after it. */
const resultLines = ({ dataset }: HTMLElement, index: number): ReadonlyArray<string> => {
  const results = dataset["results"]!
  const letter = results[index]
  const word = outcomes.find((each) => each.letter === letter)?.word
  const later = results.length - 1 - index
  if (word === undefined) return [t("No result")]
  return [
    t(word),
    later === 0
      ? t("Newest result")
      : t("{count, plural, one {# result before the newest} other {# results before the newest}}", { count: later })
  ]
}

/** Begins it, and ends it with the returned function. */
export const startBars = (): (() => void) =>
  barTips({
    countOf: ({ dataset: { days, results } }) => days?.split(",").length ?? results?.length ?? 0,
    linesOf: (bar, index) => (bar.dataset["days"] === undefined ? resultLines(bar, index) : dayLines(bar, index)),
    say: announce
  }).stop
