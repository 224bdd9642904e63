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

const Small = ({ monitor: { name, status } }: { readonly monitor: MonitorSummary }) => (
  <li className="flex min-w-0 items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 text-base">
    <Shape tone={toneOf(status)} />
    <span className="sr-only">{wordOf(status)}</span>
    <bdi className="truncate">{name}</bdi>
  </li>
)

export const Tiles = ({ monitors }: { readonly monitors: ReadonlyArray<MonitorSummary> }) => {
  const all = sorted(monitors)
  const large = all.filter(needsSomebody)
  const small = all.filter((monitor) => !needsSomebody(monitor))
  const more = Math.max(0, large.length - maxLarge) + Math.max(0, small.length - maxSmall)
  return (
    <div className="flex flex-col gap-5">
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
      <ul aria-label={t("The others")} className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,12rem),1fr))] gap-2">
        {small.slice(0, maxSmall).map((monitor) => (
          <Small key={monitor.id} monitor={monitor} />
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
