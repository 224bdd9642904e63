/** The one scale of daily uptime: colours and heights of a day, on status pages and in the dashboard alike. */

/**
 * The level of a day: `good` without downtime, `minor` from 99 % or below a minute of downtime, `worse` from 95 %, `bad` below;
 * `none` without data.
 */
export type Level = "none" | "good" | "minor" | "worse" | "bad"

/** Better levels are lower columns, so that bad days stand out in any colour. */
const heights: Record<Level, number> = { none: 4, good: 22, minor: 26, worse: 29, bad: 32 }

/** The height of a bar, and the width of each of its columns with the gap. */
export const barHeight = 32
export const step = 4

/** Of a day of which little is known, seconds of downtime are a large share, and no bad day. */
const briefSeconds = 60

/** Percent, and seconds of downtime. */
export const levelOf = ({ downtime, uptime }: { readonly uptime: number | null; readonly downtime: number }): Level =>
  uptime === null
    ? "none"
    : uptime >= 100 && downtime <= 0
      ? "good"
      : uptime >= 99 || downtime < briefSeconds
        ? "minor"
        : uptime >= 95
          ? "worse"
          : "bad"

const levels = Object.keys(heights) as ReadonlyArray<Level>

export const column = (day: number, level: Level): string => `M${day * step + 1.5} ${barHeight}v-${heights[level]}`

/** How wide the drawing of so many days is. */
export const barWidth = (days: number): number => days * step - 1

/** The drawing: a path for each level that occurs. */
export const pathsOf = (days: ReadonlyArray<Level>): ReadonlyArray<{ readonly level: Level; readonly d: string }> =>
  levels.flatMap((level) => {
    const columns = days.flatMap((one, day) => (one === level ? [column(day, level)] : []))
    return columns.length === 0 ? [] : [{ level, d: columns.join("") }]
  })
