/** The facts of a monitor, beside its story. */
import { Link } from "@tanstack/react-router"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { targetOf } from "../../live/target.ts"
import { t } from "../../locales/text.ts"
import { Fact } from "../../ui/Fact.tsx"
import { Duration } from "../../ui/Quantity.tsx"
import { JobFacts } from "./Job.tsx"

const tagClass =
  "rounded-lg bg-ink/6 px-1.5 text-ink no-underline hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-6 pointer-coarse:items-center"

export const Facts = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { group, heartbeatUrl, interval, tags, type } = monitor
  const target = targetOf(monitor)
  return (
    <dl className="flex flex-col gap-2 text-sm">
      {target !== "" && (
        <Fact label={t("Target")}>
          <bdi className="break-all">{target}</bdi>
        </Fact>
      )}
      <Fact label={t("Type")}>{type}</Fact>
      {heartbeatUrl === undefined ? (
        <Fact label={t("Interval")}>
          <Duration seconds={interval} />
        </Fact>
      ) : (
        <JobFacts monitor={monitor} />
      )}
      {group !== null && (
        <Fact label={t("Group")}>
          <Link to="/monitors" search={{ group }} className="text-ink underline-offset-3 hover:underline">
            <bdi>{group}</bdi>
          </Link>
        </Fact>
      )}
      {tags.length > 0 && (
        <Fact label={t("Tags")}>
          <span className="flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <Link key={tag} to="/monitors" search={{ tag }} className={tagClass}>
                {tag}
              </Link>
            ))}
          </span>
        </Fact>
      )}
    </dl>
  )
}
