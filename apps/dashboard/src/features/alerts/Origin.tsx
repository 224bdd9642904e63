/** Where an alert comes from that no monitor caused: its integration, its key and labels, and its page at the sender. */
import type { AlertSource } from "@kanmon/domain/Alert"
import { useQuery } from "@tanstack/react-query"
import { integrationsQuery } from "../../api/integrations.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { partClass } from "../../ui/classes.ts"
import { Fact } from "../../ui/Fact.tsx"

export const Origin = ({
  source: { integrationId, key, labels, link }
}: {
  readonly source: typeof AlertSource.Encoded
}) => {
  const { project } = useProjectData()
  const { data: integrations } = useQuery(integrationsQuery(project))
  const names = Object.keys(labels)
  return (
    <section className={partClass}>
      <h2>{t("Origin")}</h2>
      <dl className="flex flex-col gap-1.5 text-sm">
        <Fact label={t("Integration")}>
          <bdi>{integrations?.find(({ id }) => id === integrationId)?.name ?? t("A deleted integration")}</bdi>
        </Fact>
        {link !== null && (
          <Fact label={t("Link")}>
            <a href={link} target="_blank" rel="noreferrer noopener" className="break-all text-accent underline">
              {link}
            </a>
          </Fact>
        )}
        <Fact label={t("Key")}>
          <code className="font-mono text-small break-all">{key}</code>
        </Fact>
        {names.length > 0 && (
          <Fact label={t("Labels")}>
            <ul className="flex flex-col gap-0.5">
              {names.map((name) => (
                <li key={name} className="break-words">
                  <bdi className="text-soft">{name}</bdi>: <bdi>{labels[name]}</bdi>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </section>
  )
}
