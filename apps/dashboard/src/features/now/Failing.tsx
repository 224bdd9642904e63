/** The monitors that failed at an instant of the past, with the reasons that were known. */
import { Link } from "@tanstack/react-router"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Beats } from "../../ui/Beats.tsx"
import { listClass, nameLinkClass } from "../../ui/classes.ts"
import { Shape, toneOf, wordOf } from "../../ui/Status.tsx"
import { Ago } from "../../ui/Time.tsx"

/** More are in the list of monitors. */
const maxShown = 20

export const Failing = ({ count }: { readonly count: number }) => {
  const { store } = useProjectData()
  const failing = [...store.monitors.values()]
    .filter(({ status }) => status === "down" || status === "degraded")
    .toSorted(
      (one, other) => Number(other.status === "down") - Number(one.status === "down") || other.since - one.since
    )
  if (failing.length === 0 && count === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="flex min-h-8 items-center">{t("Failing then")}</h2>
      <p className="text-sm text-soft">
        {t("{count, plural, one {# alert was open.} other {# alerts were open.}}", { count })}
      </p>
      {failing.length > 0 && (
        <ul className={listClass}>
          {failing.slice(0, maxShown).map(({ failure, id, name, results, since, status }) => (
            <li key={id} className="flex items-start gap-3 px-2 py-3">
              <Shape tone={toneOf(status)} className="mt-1" />
              <div className="min-w-0 flex-1">
                <p className="font-medium">
                  <Link to="/monitors/$id" params={{ id }} className={nameLinkClass}>
                    <bdi className="line-clamp-2">{name}</bdi>
                  </Link>
                </p>
                {failure !== null && (
                  <p className="line-clamp-2 text-sm">
                    <bdi>{failure}</bdi>
                  </p>
                )}
                <p className="text-sm text-soft">
                  {wordOf(status)} · <Ago at={new Date(since * 1000).toISOString()} />
                </p>
              </div>
              <Beats results={results} className="mt-1 h-6 w-40 max-sm:w-20" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
