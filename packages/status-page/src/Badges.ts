/**
 * SVG badges with the status of a monitor or a page, for READMEs and websites. The status is also text, for people who cannot
 * see the colours and for screen readers.
 */
import type { Indicator } from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { makeBadge } from "badge-maker"
import { xmlText } from "./Markup.ts"
import { uptimePercent } from "./UptimePercent.ts"

/** The status of a monitor or a page: `Shop | up`, `Acme | partial outage`. */
export const statusBadge = (label: string, status: MonitorStatus | Indicator): string =>
  badge(label, status.replaceAll("_", " "), statusColors[status])

/** The uptime of a monitor or a page in percent; null if unknown. The label should name the period. */
export const uptimeBadge = (label: string, percent: number | null): string =>
  badge(label, uptimePercent(percent), uptimeColor(percent))

/** White text has a contrast of at least 4.5 on each colour (WCAG 2.2, 1.4.3). */
const colors = {
  green: "#1d7437",
  amber: "#8a5a00",
  orange: "#a8480a",
  red: "#b3261e",
  blue: "#1a5fb0",
  grey: "#5b6068"
}

const statusColors: Record<MonitorStatus | Indicator, string> = {
  up: colors.green,
  operational: colors.green,
  degraded: colors.amber,
  partial_outage: colors.orange,
  down: colors.red,
  major_outage: colors.red,
  maintenance: colors.blue,
  paused: colors.grey,
  pending: colors.grey
}

const uptimeColor = (percent: number | null): string => {
  if (percent === null) return colors.grey
  if (percent >= 99.9) return colors.green
  if (percent >= 99) return colors.amber
  return percent >= 95 ? colors.orange : colors.red
}

const badge = (label: string, message: string, color: string): string =>
  makeBadge({ label: fitted(label), message, color })

const maximumLength = 40

/** Shortens the label to one line, without direction overrides or stacked combining marks. */
const fitted = (label: string): string => {
  const line = xmlText(label.normalize("NFC").replace(/[\s\p{Cc}]+/gu, " "))
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/(\p{M}{3})\p{M}+/gu, "$1")
    .trim()
  if ([...line].length <= maximumLength) return line
  let kept = ""
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line)) {
    if ([...kept, ...segment].length >= maximumLength) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
