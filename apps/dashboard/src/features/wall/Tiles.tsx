/** Monitors as tiles: large with the reason if they need attention, otherwise small. */
import type { MonitorSummary } from "../../live/MonitorStore.ts"
import { t } from "../../locales/text.ts"
import { Beats } from "../../ui/Beats.tsx"
import { classes } from "../../ui/classes.ts"
import { order, Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { ShortAgo } from "../../ui/Time.tsx"

/** More than fit on any screen. */
const maxLarge = 60
const maxSmall = 400

const rank = new Map(order.map((status, index) => [status, index]))

/** The worst first, of those the newest first. */
const sorted = (monitors: ReadonlyArray<MonitorSummary>): ReadonlyArray<MonitorSummary> =>
  monitors.toSorted((one, other) => rank.get(one.status)! - rank.get(other.status)! || other.since - one.since)

const needsSomebody = ({ stale, status }: MonitorSummary): boolean =>
  stale || status === "down" || status === "degraded"

const Large = ({ monitor: { failure, name, results, since, stale, status } }: { readonly monitor: MonitorSummary }) => (
  <li
    className={classes(
      `is-${toneOf(status)}`,
      "flex min-w-0 flex-col gap-2 rounded-xl border-2 border-[color-mix(in_srgb,var(--tone)_60%,var(--line))] bg-[color-mix(in_srgb,var(--tone)_14%,var(--surface))] p-4"
    )}
  >
    <p className="flex items-center gap-2 text-lg font-semibold">
      <Shape tone={toneOf(status)} className="size-6" />
      <span>{stale ? t("Result overdue") : wordOf(status)}</span>
      <span className="ms-auto font-normal text-soft tabular-nums">
        <ShortAgo at={since * 1000} />
      </span>
    </p>
    <p className="line-clamp-2 text-xl leading-tight font-semibold break-words">
      <bdi>{name}</bdi>
    </p>
    {failure !== null && (
      <p className="line-clamp-2 text-base break-words">
        <bdi>{failure}</bdi>
      </p>
    )}
    <div className="mt-auto max-w-56">
      <Beats results={results} />
    </div>
  </li>
)

/** The least width of a tile, and its type: few monitors fill the screen as much as many do. */
const sizes = [
  {
    most: 12,
    grid: "grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))]",
    tile: "text-3xl gap-4 px-6 py-5",
    mark: "size-9"
  },
  {
    most: 40,
    grid: "grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))]",
    tile: "text-2xl gap-3 px-5 py-4",
    mark: "size-7"
  },
  {
    most: 120,
    grid: "grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))]",
    tile: "text-lg gap-2.5 px-4 py-2.5",
    mark: "size-5"
  },
  {
    most: Number.POSITIVE_INFINITY,
    grid: "grid-cols-[repeat(auto-fill,minmax(min(100%,10rem),1fr))]",
    tile: "text-base gap-2 px-3 py-2",
    mark: ""
  }
] as const

const Small = ({
  monitor: { name, status },
  size
}: {
  readonly monitor: MonitorSummary
  readonly size: (typeof sizes)[number]
}) => (
  <li className={classes("flex min-w-0 items-center rounded-lg border border-line bg-surface", size.tile)}>
    <Shape tone={toneOf(status)} className={size.mark} />
    <span className="sr-only">{wordOf(status)}</span>
    <bdi className="truncate">{name}</bdi>
  </li>
)

export const Tiles = ({ monitors }: { readonly monitors: ReadonlyArray<MonitorSummary> }) => {
  const all = sorted(monitors)
  const large = all.filter(needsSomebody)
  const small = all.filter((monitor) => !needsSomebody(monitor))
  const size = sizes.find(({ most }) => small.length <= most) ?? sizes[3]
  const more = Math.max(0, large.length - maxLarge) + Math.max(0, small.length - maxSmall)
  return (
    <div className="flex grow flex-col gap-5">
      {large.length > 0 && (
        <ul
          aria-label={t("Needs attention")}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4"
        >
          {large.slice(0, maxLarge).map((monitor) => (
            <Large key={monitor.id} monitor={monitor} />
          ))}
        </ul>
      )}
      {/* Rows share what is left of the screen. */}
      <ul aria-label={t("The others")} className={classes("grid grow auto-rows-fr gap-2", size.grid)}>
        {small.slice(0, maxSmall).map((monitor) => (
          <Small key={monitor.id} monitor={monitor} size={size} />
        ))}
      </ul>
      {more > 0 && (
        <p className="text-center text-soft">
          {t("{count, plural, one {and # more} other {and # more}}", { count: more })}
        </p>
      )}
    </div>
  )
}
