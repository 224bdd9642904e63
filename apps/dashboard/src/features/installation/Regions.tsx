/** For administrators: every region with its probes, what depends on it, and what to do when a probe is away. */
import { Link } from "@tanstack/react-router"
import { t } from "../../locales/text.ts"
import { partClass } from "../../ui/classes.ts"
import { useHeldShape } from "../../ui/held.ts"
import { Shape } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import type { ProbeRecord, RegionRecord } from "./queries.ts"
import { absenceOf, troublesOfProbe } from "./regionStates.ts"

const linkClass = "inline-flex min-h-9 items-center text-sm text-accent underline pointer-coarse:min-h-11"

const worst = (tones: ReadonlyArray<"degraded" | "down">) =>
  tones.includes("down") ? "down" : tones.includes("degraded") ? "degraded" : "up"

const Probe = ({ probe, version }: { readonly probe: ProbeRecord; readonly version: string | undefined }) => {
  const troubles = troublesOfProbe(probe, version)
  return (
    <li className="flex items-start gap-3">
      <Shape tone={worst(troubles.map(({ tone }) => tone))} className="mt-0.5" />
      <div className="min-w-0 text-sm">
        <p className="break-all">
          <code>{probe.id}</code>
        </p>
        <ul className="flex flex-wrap gap-x-4 text-small text-soft">
          {probe.version !== null && <li>{t("Version {version}", { version: probe.version })}</li>}
          {probe.monitors !== null && (
            <li>{t("{count, plural, one {# monitor} other {# monitors}}", { count: probe.monitors })}</li>
          )}
          {probe.startedAt !== null && (
            <li>
              {t("Started")} <Ago at={probe.startedAt} />
            </li>
          )}
          {probe.clock?.status === "ok" && <li>{t("Its clock is right")}</li>}
        </ul>
        {troubles.map(({ says, tone }) => (
          <p key={says} className={tone === "down" ? "text-down" : "text-degraded"}>
            {says}
          </p>
        ))}
      </div>
    </li>
  )
}

const Region = ({ region, version }: { readonly region: RegionRecord; readonly version: string | undefined }) => {
  const { alive, lastSeenAt, monitors, onlyHere, probes } = region
  const isWell = alive && probes.every((probe) => troublesOfProbe(probe, version).length === 0)
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="flex min-w-0 items-center gap-3">
          <Shape tone={isWell ? "up" : !alive && onlyHere > 0 ? "down" : "degraded"} />
          <bdi className="truncate">{region.region}</bdi>
        </h3>
        <Link to="/monitors" search={{ region: region.region }} className={linkClass}>
          {t("Your monitors there")}
        </Link>
      </div>
      <p className="text-sm text-soft sm:ps-7">
        {alive ? (
          t("{count, plural, one {# probe} other {# probes}}", { count: probes.length })
        ) : lastSeenAt === null ? (
          t("No probe has reported from here yet")
        ) : (
          <>
            {t("The last probe was alive")} <Ago at={lastSeenAt} />
          </>
        )}
        {" · "}
        {t("{count, plural, one {# monitor is checked from here} other {# monitors are checked from here}}", {
          count: monitors
        })}
        {onlyHere > 0 && alive && (
          <>
            {", "}
            {t("{count, plural, one {# of them from nowhere else} other {# of them from nowhere else}}", {
              count: onlyHere
            })}
          </>
        )}
      </p>
      {!alive && (
        <div className="flex flex-col gap-1 text-sm sm:ps-7">
          {absenceOf(region).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {probes.length > 0 && (
        <ul className="flex flex-col gap-3 sm:ps-7">
          {probes.map((probe) => (
            <Probe key={probe.id} probe={probe} version={version} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Changes with what a region shows and how high it is. */
const shapeOf = ({ alive, onlyHere, probes, region }: RegionRecord, version: string | undefined): string =>
  JSON.stringify([
    region,
    alive,
    onlyHere > 0,
    probes.map((probe) => [probe.id, troublesOfProbe(probe, version).length, probe.clock?.status])
  ])

export const Regions = ({
  ownStale: stale,
  regions: all,
  version
}: {
  readonly regions: ReadonlyArray<RegionRecord>
  /** Monitors of the displayed project with overdue results. */
  readonly ownStale: number
  /** That of the server that answers. */
  readonly version: string | undefined
}) => {
  const held = useHeldShape(
    { regions: all, ownStale: stale },
    [stale > 0, ...all.map((region) => shapeOf(region, version))].join(" ")
  )
  const { ownStale, regions } = held.value
  return (
    <section className={partClass}>
      <Waiting held={held} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2>{t("Regions and probes")}</h2>
        {ownStale > 0 && (
          <Link to="/monitors" search={{ results: "overdue" }} className={linkClass}>
            {t(
              "{count, plural, one {# monitor of this project is overdue} other {# monitors of this project are overdue}}",
              { count: ownStale }
            )}
          </Link>
        )}
      </div>
      {regions.length === 0 && (
        <p className="text-sm text-soft">{t("No region has had a probe yet. Start one: it announces itself.")}</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {regions.map((region) => (
          <Region key={region.region} region={region} version={version} />
        ))}
      </ul>
    </section>
  )
}
