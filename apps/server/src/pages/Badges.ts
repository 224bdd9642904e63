/**
 * Badges for a README or a website: small SVG images that say how a monitor or a whole page stands. They say it in words
 * as well as in colour, to eyes and to screen readers.
 */
import type { Indicator } from "@kanmon/domain/PublicPage"
import type { MonitorStatus } from "@kanmon/domain/Status"
import { makeBadge } from "badge-maker"
import { xmlText } from "./Markup.ts"
import { uptimePercent } from "./UptimePercent.ts"

/** What a badge is served as. */
export const badgeContentType = "image/svg+xml; charset=utf-8"

/** How a monitor, or a whole page, stands: `Shop | up`, `Acme | partial outage`. */
export const statusBadge = (label: string, status: MonitorStatus | Indicator): string =>
  badge(label, status.replaceAll("_", " "), statusColors[status])

/** The uptime of a monitor or of a whole page, in percent; null where nothing is known. Say in the label over what time. */
export const uptimeBadge = (label: string, percent: number | null): string =>
  badge(label, uptimePercent(percent), uptimeColor(percent))

/** White text has a contrast of 4.5 and more on each of them (WCAG 2.2, 1.4.3). */
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

/** One line that is not too long. It cannot turn the status around, nor pile up marks beyond the badge's edges. */
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
