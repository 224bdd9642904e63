/** The form that creates or changes a status page. */
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useMemo, useState } from "react"
import { Form } from "react-aria-components"
import { byField } from "../../api/problem.ts"
import { useDraft } from "../../api/useDraft.ts"
import { ConflictNotice } from "../../forms/ConflictNotice.tsx"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { nameOfMonitor } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { PickList } from "../../ui/PickList.tsx"
import { DomainRecords } from "./CustomDomain.tsx"
import { Embedding, originsIn } from "./Embedding.tsx"
import { Preview } from "./Preview.tsx"
import { pageAddress, type SlugState, type StatusPage, statusPagesQuery, useSlugState } from "./queries.ts"
import { SectionList } from "./SectionList.tsx"
import { monitorsOf, newHeading, type Row, rowsOf } from "./sections.ts"
import { useCreatePage, useUpdatePage } from "./writes.ts"

const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 63)

interface Fields {
  readonly name: string
  /** Undefined: the name decides. */
  readonly typedSlug: string | undefined
  readonly rows: ReadonlyArray<Row>
  readonly tags: ReadonlyArray<string>
  readonly customDomain: string
  /** Origins, as they are typed. */
  readonly embedding: string
}

const fieldsOf = (page: StatusPage | undefined): Fields => ({
  name: page?.name ?? "",
  typedSlug: page?.slug,
  rows: rowsOf(page?.monitors ?? []),
  tags: page?.tags ?? [],
  customDomain: page?.customDomain ?? "",
  embedding: page?.embedOrigins.join("\n") ?? ""
})

const bodyOf = ({ customDomain, embedding, name, rows, tags, typedSlug }: Fields) => ({
  name,
  slug: typedSlug ?? slugOf(name),
  monitors: monitorsOf(rows),
  tags,
  embedOrigins: originsIn(embedding),
  customDomain: customDomain.trim() || null
})

const slugHelp = (state: SlugState, slug: string): string => {
  if (state === "free") return t("{address} is free", { address: pageAddress(slug) })
  if (state === "checking") return t("Checking…")
  return state === "unchanged" ? pageAddress(slug) : t("2 to 63 lower-case letters, digits and hyphens")
}

export const PageForm = ({ page }: { readonly page?: StatusPage }) => {
  const data = useProjectData()
  const { store } = data
  const { mutateAsync: create } = useCreatePage()
  const { mutateAsync: update } = useUpdatePage()
  const navigate = useNavigate()
  const {
    change,
    conflict,
    errors,
    fields: { customDomain, embedding, name, rows, tags, typedSlug },
    fields,
    isBusy,
    isChanged,
    save
  } = useDraft(fieldsOf, byField(["name", "slug", "monitors", "tags", "embedOrigins", "customDomain"]), bodyOf, {
    record: page,
    query: statusPagesQuery(data.project)
  })
  const [adding, setAdding] = useState<ReadonlyArray<string> | undefined>(undefined)
  const slug = typedSlug ?? slugOf(name)
  const slugState = useSlugState(slug, page?.slug)

  const body = bodyOf(fields)
  const draft = {
    name: name.trim() === "" ? t("Status page") : name,
    slug: slugState === "invalid" || slug.length < 2 ? "preview" : slug,
    monitors: body.monitors,
    tags
  }
  const shown = new Set(rows.map(({ id }) => id))
  const others = [...store.monitors.values()]
    .filter(({ id }) => !shown.has(id))
    .map(({ id, name }) => ({ id, label: name }))
  const allTags = useMemo(
    () =>
      [...new Set([...(page?.tags ?? []), ...[...store.monitors.values()].flatMap((monitor) => monitor.tags)])]
        .sort()
        .map((id) => ({ id, label: id })),
    [page, store.monitors]
  )

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void save(
      () => (page === undefined ? create(body) : update({ statusPageId: page.id, body })),
      // With a domain there is something left to do: its records are shown on the page's own form.
      ({ customDomain, customDomainStatus, id }) =>
        customDomain !== null && customDomainStatus !== "active"
          ? navigate({ to: "/status-pages/$id", params: { id }, replace: page === undefined })
          : navigate({ to: "/status-pages" })
    )
  }
  const slugError =
    errors.fields["slug"] ??
    (slugState === "taken" ? t("Another page has this address. Choose another one.") : undefined)

  return (
    <div className="grid min-w-0 items-start gap-x-8 gap-y-10 xl:grid-cols-2">
      <Form onSubmit={submit} validationBehavior="aria" className="flex min-w-0 flex-col gap-6">
        <TextField
          label={t("Name")}
          help={t("The title that visitors see")}
          value={name}
          onChange={(name) => change({ name })}
          error={errors.fields["name"]}
          isRequired
          autoComplete="off"
        />
        <TextField
          label={t("Address")}
          help={slugHelp(slugState, slug)}
          value={slug}
          onChange={(typedSlug) => change({ typedSlug })}
          error={slugError}
          isErrorInPlace
          isRequired
          spellCheck="false"
          autoComplete="off"
        />
        <section className="flex min-w-0 flex-col gap-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2>{t("What it shows")}</h2>
            <div className="flex flex-wrap gap-2">
              <Button onPress={() => change({ rows: [...rows, newHeading()] })}>
                <Icon name="plus" />
                {t("Heading")}
              </Button>
              <Button onPress={() => setAdding([])}>
                <Icon name="plus" />
                {t("Monitors")}
              </Button>
            </div>
          </div>
          <SectionList
            rows={rows}
            onChange={(rows) => change({ rows })}
            nameOf={(id) => nameOfMonitor(data, id, t("a deleted monitor"))}
          />
          {errors.fields["monitors"] !== undefined && <Notice>{errors.fields["monitors"]}</Notice>}
          <p className="text-small text-soft">{t("A heading covers all monitors below it.")}</p>
        </section>
        {allTags.length > 0 && (
          <section className="flex min-w-0 flex-col gap-2">
            <h2>{t("And every monitor with one of these tags")}</h2>
            <PickList
              label={t("Tags")}
              options={allTags}
              value={tags}
              onChange={(tags) => change({ tags })}
              error={errors.fields["tags"]}
            />
          </section>
        )}
        <section className="flex min-w-0 flex-col gap-3">
          <TextField
            label={t("Custom domain")}
            help={t(
              "A name of your own, such as status.example.org. The DNS records that it needs are shown after saving."
            )}
            value={customDomain}
            onChange={(customDomain) => change({ customDomain })}
            error={errors.fields["customDomain"]}
            optional
            spellCheck="false"
            inputMode="url"
          />
          {page !== undefined && <DomainRecords page={page} />}
        </section>
        <Embedding
          text={embedding}
          onChange={(embedding) => change({ embedding })}
          error={errors.fields["embedOrigins"]}
          page={page}
        />
        <ConflictNotice of={conflict} />
        <FormProblem errors={errors} />
        <div>
          <Button
            kind="primary"
            type="submit"
            isDisabled={isBusy || name.trim() === "" || slugState === "taken" || slugState === "invalid"}
          >
            {page === undefined ? t("Create status page") : t("Save")}
          </Button>
        </div>
      </Form>
      <div className="min-w-0 xl:sticky xl:top-6">
        <Preview draft={draft} />
      </div>
      <Dialog title={t("Add monitors")} isOpen={adding !== undefined} onOpenChange={() => setAdding(undefined)}>
        <PickList label={t("Monitors")} options={others} value={adding ?? []} onChange={setAdding} />
        <div className="flex justify-end gap-2">
          <Button onPress={() => setAdding(undefined)}>{t("Cancel")}</Button>
          <Button
            kind="primary"
            isDisabled={adding === undefined || adding.length === 0}
            onPress={() => {
              change({ rows: [...rows, ...(adding ?? []).map((id): Row => ({ kind: "monitor", id }))] })
              setAdding(undefined)
            }}
          >
            {t("Add")}
          </Button>
        </div>
      </Dialog>
      <LeaveGuard isChanged={isChanged} />
    </div>
  )
}
