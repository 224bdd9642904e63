/** The status of a monitor, by shape, colour and word. */
import { lowered, outlines, strokes } from "@kanmon/status-page/Shapes"
import { t, type Text } from "../locales/text.ts"
import { classes } from "./classes.ts"
import type { Status } from "./statusOrder.ts"

export { order, type Status } from "./statusOrder.ts"

/** How good something is, by shape and colour. */
export type Tone = keyof typeof outlines

const statuses = {
  up: { tone: "up", word: "Up" },
  degraded: { tone: "degraded", word: "Degraded" },
  down: { tone: "down", word: "Down" },
  maintenance: { tone: "maintenance", word: "Maintenance" },
  paused: { tone: "quiet", word: "Paused" },
  pending: { tone: "quiet", word: "Pending" }
} as const satisfies Record<Status, { readonly tone: Tone; readonly word: Text }>

export const wordOf = (status: Status): string => t(statuses[status].word)

export const toneOf = (status: Status) => statuses[status].tone

export const Shape = ({ className, tone }: { readonly tone: Tone; readonly className?: string }) => (
  <svg
    viewBox="0 0 16 16"
    className={classes("size-4 shrink-0", `is-${tone}`, "text-(--tone)", className)}
    aria-hidden="true"
    focusable="false"
  >
    <path d={outlines[tone]} fill="currentColor" />
    <path
      className="glyph stroke-surface"
      fill="none"
      d={strokes[tone]}
      transform={lowered(tone)}
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

export const StatusDot = ({ className, status }: { readonly status: Status; readonly className?: string }) => (
  <span className={classes("inline-flex items-center gap-1.5 font-medium", `is-${toneOf(status)}`, className)}>
    <Shape tone={toneOf(status)} />
    <span className="text-(--tone)">{wordOf(status)}</span>
  </span>
)
