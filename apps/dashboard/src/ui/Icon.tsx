/** Small pictures beside text; decorative. */
import { classes } from "./classes.ts"

const paths = {
  account: "M8 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14c.6-2.4 2.8-3.7 5.5-3.7s4.9 1.3 5.5 3.7",
  alerts: "M8 2.2l6.3 11.3H1.7zM8 6.8v3M8 11.6h.01",
  back: "M9.5 3.5L5 8l4.5 4.5",
  channels: "M12.5 11V7a4.5 4.5 0 0 0-9 0v4L2.3 12.5h11.4zM6.5 12.5a1.5 1.5 0 0 0 3 0",
  check: "M3.5 8.5l3 3 6-7",
  chevron: "M4 6l4 4 4-4",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M6 5.5h7v8H6zM10 5.5v-3H3v8h3",
  edit: "M10.5 3l2.5 2.5L6 12.5l-3.2.7.7-3.2z",
  filter: "M2 4h12M4.5 8h7M6.5 12h3",
  incidents: "M2.5 3.5h11v7.5H8.5L5.5 13.5V11h-3zM8 5.5v2.2M8 9.2h.01",
  grip: "M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01",
  minus: "M4 8h8",
  monitors: "M1.5 8.5h3l2-5 3 9 2-4h3",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  now: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2.2 1.6",
  pages: "M2.5 3h11v10h-11zM2.5 6h11M5 9h6M5 11h3.5",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2v9.6L12.5 8z",
  plus: "M8 3v10M3 8h10",
  refresh: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.8h-2.8",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14",
  settings:
    "M2.5 4.5h5M11 4.5h2.5M9.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM2.5 11.5H5M8.5 11.5h5M6.7 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  trash: "M3 4.5h10M6.5 4V2.5h3V4M4.5 4.5l.6 9h5.8l.6-9"
} as const

export type IconName = keyof typeof paths

export const Icon = ({ className, name }: { readonly name: IconName; readonly className?: string }) => (
  <svg
    viewBox="0 0 16 16"
    className={classes("size-4 stroke-current", className)}
    fill="none"
    strokeWidth={name === "more" || name === "grip" ? 2.5 : 1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
)

/** Two posts and two lintels: a gate. */
export const Mark = ({ className }: { readonly className?: string }) => (
  <svg viewBox="0 0 32 32" className={classes("size-7", className)} aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" className="fill-accent" />
    <path
      d="M5.5 9.2h21M8 14h16M10.5 9.2v16.3M21.5 9.2v16.3"
      className="stroke-surface"
      fill="none"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
  </svg>
)
