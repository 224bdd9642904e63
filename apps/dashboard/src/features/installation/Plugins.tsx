/** The plugins of the installation with their types, and the reason if one is not used. */
import { useFirst } from "../../api/Parts.tsx"
import { t } from "../../locales/text.ts"
import { HeldList } from "../../ui/HeldList.tsx"
import { Shape } from "../../ui/Status.tsx"
import { partClass } from "../../ui/classes.ts"
import { pluginsQuery } from "./queries.ts"

const nameOf = ({ name }: { readonly name: string }): string => name

const tones = { loaded: "up", partly: "degraded", refused: "down" } as const

export const Plugins = () => {
  const { data, error } = useFirst(pluginsQuery)
  return (
    <section className={partClass}>
      <h2>{t("Plugins")}</h2>
      <HeldList
        label={t("Plugins")}
        items={data}
        keyOf={nameOf}
        error={error}
        className="grid gap-x-6 gap-y-3 sm:grid-cols-2"
        rowClass="flex items-start gap-2 text-sm"
      >
        {({ auths, channels, checks, name, origin, refused, status }) => (
          <>
            <Shape tone={tones[status]} className="mt-0.5" />
            <div className="min-w-0">
              <p>
                <span className="font-medium">{name}</span>
                {origin === "outside" && <span className="text-soft"> · {t("Added by the operator")}</span>}
              </p>
              <p className="text-small text-soft">
                {[...checks.map(({ type }) => type), ...channels.map(({ type }) => type), ...auths].join(", ")}
              </p>
              {refused.map((reason) => (
                <p key={reason} className="text-small text-down">
                  {reason}
                </p>
              ))}
            </div>
          </>
        )}
      </HeldList>
    </section>
  )
}
