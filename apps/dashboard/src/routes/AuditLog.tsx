/** `/settings/audit`: changes with their actors. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMay } from "../api/permissions.ts"
import { noErrors } from "../api/problem.ts"
import { useSubmit } from "../api/useSubmit.ts"
import { type AuditSearch, kinds, parseAuditSearch, scopes } from "../features/audit/auditSearch.ts"
import { EntryList } from "../features/audit/EntryList.tsx"
import { auditQuery, exportCsv } from "../features/audit/queries.ts"
import { actorKinds, actorName, actorWord, kindWord, scopeWord } from "../features/audit/words.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { Button } from "../ui/Button.tsx"
import { Segments, Select } from "../ui/Choice.tsx"
import { EmptyState, Notice } from "../ui/Notice.tsx"
import { save as saveFile } from "../ui/save.ts"
import { Refusal } from "../ui/Toast.tsx"
import { More } from "../ui/PagedList.tsx"
import { restricted } from "./restricted.tsx"

const all = "all"

const AuditLog = () => {
  const search = useSearch({ from: "/shell/settings/audit" })
  const navigate = useNavigate({ from: "/settings/audit" })
  const { project } = useProjectData()
  const mayReadOrganization = useMay("organizationAudit.read")
  const query = useInfiniteQuery(auditQuery(project, search))
  const { data, error, refetch } = query
  const { errors, isBusy, setErrors, submit } = useSubmit()
  const entries = data?.pages.flatMap(({ items }) => items)
  const change = (next: AuditSearch) => void navigate({ search: { ...search, ...next }, replace: true })

  // A chosen actor stays an option.
  const chosen = actorKinds.some((kind) => kind === search.by) ? undefined : search.by
  const person = entries?.find(({ actor }) => actor.id === chosen)?.actor
  const people = [
    { id: all, label: t("Everybody") },
    ...actorKinds.map((kind) => ({ id: kind, label: actorWord(kind) })),
    ...(chosen === undefined ? [] : [{ id: chosen, label: person === undefined ? chosen : actorName(person) }])
  ]

  const save = () => submit(async () => saveFile(await exportCsv(project, search), "audit-log.csv"))

  return (
    <section aria-label={t("Audit log")} className="flex flex-col gap-4">
      <title>{`${t("Audit log")} · Kanmon`}</title>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments
          label={t("Scope")}
          value={search.scope ?? "project"}
          onChange={(id) => change(parseAuditSearch({ scope: id }))}
          options={scopes
            .filter((id) => id !== "organization" || mayReadOrganization)
            .map((id) => ({ id, label: scopeWord(id) }))}
        />
        <Button onPress={() => void save()} isDisabled={isBusy}>
          {t("Download CSV")}
        </Button>
      </div>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <Select
            label={t("What was changed")}
            value={search.kind ?? all}
            onChange={(id) => change({ kind: kinds.find((kind) => kind === id) })}
            options={[{ id: all, label: t("Everything") }, ...kinds.map((id) => ({ id, label: kindWord(id) }))]}
          />
        </div>
        <div className="min-w-40 flex-1">
          <Select
            label={t("By whom")}
            value={search.by ?? all}
            onChange={(id) => change({ by: id === all ? undefined : id })}
            options={people}
          />
        </div>
      </div>
      {errors.general !== undefined && <Refusal onClose={() => setErrors(noErrors)}>{errors.general}</Refusal>}
      {entries === undefined ? (
        error !== null && (
          <Notice actions={<Button onPress={() => void refetch()}>{t("Try again")}</Button>}>{error.message}</Notice>
        )
      ) : (
        <>
          <EntryList
            entries={entries}
            search={search}
            reset={`${JSON.stringify(search)} ${data?.pages.length ?? 0}`}
            empty={<EmptyState title={t("No change matches")}>{t("Changes are kept for 400 days.")}</EmptyState>}
          />
          <More query={query} />
        </>
      )}
    </section>
  )
}

export default restricted("audit.read", AuditLog)
