/** How each part of the installation is, and how many probes look from where. */
import { t } from "../../locales/text.ts"
import { byName } from "../../ui/collation.ts"
import { partClass } from "../../ui/classes.ts"
import { useHeldShape } from "../../ui/held.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Shape } from "../../ui/Status.tsx"
import { Waiting } from "../../ui/Waiting.tsx"
import { partsOf } from "./parts.ts"
import type { HealthRecord } from "./queries.ts"

/** Changes with what the section shows and how high it is. */
const shapeOf = (health: HealthRecord): string =>
  JSON.stringify([
    health.refusals,
    partsOf(health).map(({ name, tone }) => [name, tone]),
    Object.keys(health.probes).toSorted()
  ])

export const HealthOfParts = ({
  health: now,
  withProbes
}: {
  readonly health: HealthRecord
  /** Administrators see more of the probes elsewhere. */
  readonly withProbes: boolean
}) => {
  const held = useHeldShape(now, shapeOf(now))
  const health = held.value
  const regions = Object.entries(health.probes).toSorted(([one], [other]) => byName(one, other))
  return (
    <section className={partClass}>
      <Waiting held={held} />
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2>{health.status === "ok" ? t("All parts work") : t("A part does not work")}</h2>
        <p className="text-sm text-soft">{t("Version {version}", { version: health.version })}</p>
      </div>
      {health.refusals.map((refusal) => (
        <Notice key={refusal}>{refusal}</Notice>
      ))}
      <dl className="flex flex-col divide-y divide-line">
        {partsOf(health).map(({ name, says, tone }) => (
          <div key={name} className="flex flex-wrap gap-x-3 py-2.5 text-sm">
            <dt className="flex w-40 items-start gap-3 font-medium">
              <Shape tone={tone} className="mt-0.5" />
              {name}
            </dt>
            <dd className="m-0 min-w-0 flex-1 basis-56 text-soft max-sm:ps-7">{says}</dd>
          </div>
        ))}
      </dl>
      {withProbes && regions.length > 0 && (
        <div className="flex flex-col gap-1">
          <h3 className="text-sm">{t("Probes")}</h3>
          <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {regions.map(([region, count]) => (
              <li key={region} className="flex items-center gap-2">
                <Shape tone={count === 0 ? "down" : "up"} />
                <bdi className="font-medium">{region}</bdi>
                <span className="text-soft">
                  {count === 0
                    ? t("no probe is alive")
                    : t("{count, plural, one {# probe} other {# probes}}", { count })}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
