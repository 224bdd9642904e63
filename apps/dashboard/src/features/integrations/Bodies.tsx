/** The last bodies of an integration with something that was not understood, and what was expected instead. */
import { bodiesQuery } from "../../api/integrations.ts"
import { useFirst } from "../../api/Parts.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Moment } from "../../ui/Time.tsx"

export const Bodies = ({ integrationId }: { readonly integrationId: string }) => {
  const { project } = useProjectData()
  const { data: bodies } = useFirst(bodiesQuery(project, integrationId))
  if (bodies === undefined) return null
  return (
    <ol className="flex flex-col gap-3" aria-label={t("Bodies that were not understood")}>
      {bodies.map(({ at, body, errors, id, refused, truncated }) => (
        <li key={id} className="flex min-w-0 flex-col gap-1.5 rounded-xl border border-line px-4 py-3 text-sm">
          <p className="text-soft">
            <Moment at={at} /> · {refused ? t("Nothing in it was taken") : t("The rest was taken")}
          </p>
          <ul className="flex flex-col gap-0.5">
            {errors.map(({ message, path }) => (
              <li key={`${path} ${message}`} className="break-words text-down">
                {path !== "" && <code className="font-mono text-small">{path}: </code>}
                <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
          <pre className="rounded-lg bg-ink/5 p-3 font-mono text-small break-all whitespace-pre-wrap">{body}</pre>
          {truncated && <p className="text-small text-soft">{t("Only the beginning is kept.")}</p>}
        </li>
      ))}
    </ol>
  )
}
