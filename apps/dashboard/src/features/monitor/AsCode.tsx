/** A monitor as the file of `kanmon apply`, to copy. */
import { useQueries } from "@tanstack/react-query"
import { useMemo } from "react"
import { reasonOf } from "../../api/problem.ts"
import { useCheckTypes } from "../../api/checkTypes.ts"
import { useMay } from "../../api/permissions.ts"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { recordQuery } from "../../live/record.ts"
import { useUpdateMonitor } from "../../live/writes.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Section } from "../../ui/Section.tsx"
import { asCode, keyOf } from "./yaml.ts"

const allData = (results: ReadonlyArray<{ readonly data: MonitorRecord | undefined }>) =>
  results.map(({ data }) => data)

export const AsCode = ({ monitor }: { readonly monitor: MonitorRecord }) => {
  const { project, store } = useProjectData()
  const mayWrite = useMay("monitors.write")
  const { data: types } = useCheckTypes()
  const update = useUpdateMonitor(monitor.id)
  const schema = types?.find(({ type }) => type === monitor.type)?.schema
  const others = useQueries({
    queries: monitor.dependsOn.map((id) => recordQuery(project, store, id)),
    combine: allData
  })
  const key = monitor.key ?? keyOf(monitor.name)
  const code = useMemo(
    () =>
      schema === undefined
        ? undefined
        : asCode(monitor, schema, key, (id) => {
            const other = others.find((each) => each?.id === id)
            return other === undefined ? id : (other.key ?? keyOf(other.name))
          }),
    [monitor, schema, key, others]
  )
  if (code === undefined) return null

  return (
    <Section title={t("As code")} actions={<CopyButton text={code.text} />}>
      <p className="text-soft">{t("Keep this in a file, and apply it with:")}</p>
      <code className="w-fit max-w-full rounded-lg bg-ink/6 px-3 py-2 text-small break-all">
        npm run kanmon -- apply -f kanmon.yaml
      </code>
      {monitor.key === null && mayWrite && (
        <Notice tone="degraded" actions={<Button onPress={() => update.mutate({ key })}>{t("Set the key")}</Button>}>
          {t(
            "This monitor has no key yet, so the file would create a second one. Set the key “{key}” first; it stays.",
            {
              key
            }
          )}
        </Notice>
      )}
      {update.error !== null && <Notice>{reasonOf(update.error)}</Notice>}
      {code.variables.length > 0 && (
        <p className="text-sm text-soft">
          {t("Secrets are not shown. Put them into the environment as:")}{" "}
          <code className="break-all">{code.variables.join(", ")}</code>
        </p>
      )}
      <pre
        tabIndex={0}
        role="region"
        aria-label="YAML"
        className="max-h-[32rem] overflow-auto rounded-lg bg-ink/6 px-3 py-2 text-small whitespace-pre-wrap break-all"
      >
        {code.text}
      </pre>
    </Section>
  )
}
