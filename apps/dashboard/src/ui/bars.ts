/** The one tooltip of the bars in the dashboard: days of uptime, and newest results. */
import { barTips } from "@kanmon/status-page/client/BarTips"
import { announce } from "./announce.ts"
import { resultLines } from "./Beats.tsx"
import { dayLines } from "./DayBars.tsx"

/** Begins it, and ends it with the returned function. */
export const startBars = (): (() => void) =>
  barTips({
    countOf: ({ dataset: { days, results } }) => days?.split(",").length ?? results?.length ?? 0,
    linesOf: (bar, index) => (bar.dataset["days"] === undefined ? resultLines(bar, index) : dayLines(bar, index)),
    say: announce
  }).stop
