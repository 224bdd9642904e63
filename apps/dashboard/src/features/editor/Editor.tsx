/** The form that creates or changes a monitor, rendered from the schema of its type. */
import type { CheckType } from "../../api/checkTypes.ts"
import { useBlocker, useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useEffect, useMemo, useRef, useState } from "react"
import { Form } from "react-aria-components"
import { useSubmit } from "../../api/useSubmit.ts"
import { readFields } from "../../forms/readFields.ts"
import { fieldsOf, type FormField, isShown, textOf } from "../../forms/schema.ts"
import { SchemaField } from "../../forms/SchemaField.tsx"
import { TrialResult } from "../../forms/TrialResult.tsx"
import type { MonitorRecord } from "../../live/MonitorStore.ts"
import { useCreateMonitor, useUpdateMonitor } from "../../live/writes.ts"
import { useTrial } from "../../live/useTrial.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { guess } from "./guess.ts"
import { RegionsField } from "./RegionsField.tsx"
import { Warnings } from "./Warnings.tsx"
import { inWords, typeInWords } from "./words.ts"

type Draft = Readonly<Record<string, string>>

/** Fields of every type that the form shows below the type's own; `regions` and the like are for those who look for them. */
const common = new Set(["interval", "tags", "group"])
/** The main fields of a type, although its schema requires none of them. */
const prominent: Readonly<Record<string, ReadonlyArray<string>>> = { heartbeat: ["schedule", "timezone", "grace"] }
const rare = new Set(["timeout", "retryInterval", "regions", "description"])
/** Edited elsewhere: by what they refer to, not by ids typed into a form. */
const elsewhere = new Set(["links", "dependsOn"])

interface Sections {
  readonly name: FormField | undefined
  readonly first: ReadonlyArray<FormField>
  readonly common: ReadonlyArray<FormField>
  readonly more: ReadonlyArray<FormField>
}

const sectionsOf = (type: CheckType): Sections => {
  const fields = fieldsOf(type.schema)
    .filter(({ name }) => !elsewhere.has(name))
    .map((field) => inWords(type.type, field))
  const own = prominent[type.type] ?? []
  const isOwn = ({ name }: FormField) => name !== "name" && !common.has(name) && !rare.has(name) && !own.includes(name)
  const interval = fields.filter(({ name }) => name === "interval")
  return {
    name: fields.find(({ name }) => name === "name"),
    first: fields.filter((field) => isOwn(field) && field.required),
    common: [
      ...interval,
      ...own.flatMap((name) => fields.filter((field) => field.name === name)),
      ...fields.filter(({ name }) => common.has(name) && name !== "interval")
    ],
    more: [...fields.filter((field) => isOwn(field) && !field.required), ...fields.filter(({ name }) => rare.has(name))]
  }
}

const draftOf = (monitor: MonitorRecord, type: CheckType): Draft =>
  Object.fromEntries(fieldsOf(type.schema).map(({ kind, name }) => [name, textOf(kind, monitor[name])]))

/** The initial draft of a copy: all fields except secrets and the name. */
const copyOf = (template: MonitorRecord, type: CheckType): Draft =>
  Object.fromEntries(
    Object.entries({ ...draftOf(template, type), name: t("Copy of {name}", { name: template.name }) }).filter(
      ([, text]) => !text.startsWith("••••")
    )
  )

export const Editor = ({
  monitor,
  template,
  types
}: {
  readonly monitor?: MonitorRecord
  /** A new monitor begins as a copy of it. */
  readonly template?: MonitorRecord
  readonly types: ReadonlyArray<CheckType>
}) => {
  const { mutateAsync: create } = useCreateMonitor()
  const { mutateAsync: update } = useUpdateMonitor(monitor?.id ?? "")
  const navigate = useNavigate()
  const [typeName, setType] = useState(
    (monitor ?? template)?.type ?? (types.some(({ type }) => type === "http") ? "http" : types[0]!.type)
  )
  const type = types.find((each) => each.type === typeName) ?? types[0]!
  const sections = useMemo(() => sectionsOf(type), [type])
  const [initial] = useState<Draft>(() => (monitor === undefined ? {} : draftOf(monitor, type)))
  const [draft, setDraft] = useState<Draft>(() => (template === undefined ? initial : copyOf(template, type)))
  const [watched, setWatched] = useState("")
  const { run, trial } = useTrial()
  const [warned, setWarned] = useState<MonitorRecord | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const saved = useRef(false)
  const fields = [sections.name, ...sections.first, ...sections.common, ...sections.more].filter(
    (field) => field !== undefined
  )
  const { errors, isBusy, setErrors, submit } = useSubmit(fields.map(({ name }) => name))
  const isChanged = ({ name }: FormField) => (draft[name] ?? "") !== (initial[name] ?? "")
  const blocker = useBlocker({
    shouldBlockFn: () => !saved.current && fields.some(isChanged),
    enableBeforeUnload: () => !saved.current && fields.some(isChanged),
    withResolver: true
  })

  // Moves the focus to the refused field.
  useEffect(() => {
    if (Object.keys(errors.fields).length > 0)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] button")?.focus()
  }, [errors.fields])

  const change = (name: string, value: string) => {
    setDraft((known) => ({ ...known, [name]: value }))
    setErrors(({ fields: { [name]: _, ...rest }, general }) => ({ fields: rest, general }))
  }
  const watch = (text: string) => {
    setWatched(text)
    const found = guess(text)
    if (found === undefined || !types.some(({ type }) => type === found.type)) return
    setType(found.type)
    setDraft((known) => ({ ...known, ...found.fields }))
  }

  /** Sends what these fields hold, if all of it can be read. */
  const attempt = (
    which: ReadonlyArray<FormField>,
    work: (values: Readonly<Record<string, unknown>>) => Promise<void>
  ) => {
    const { errors, values } = readFields(which, draft, monitor === undefined ? undefined : null)
    setErrors(errors)
    if (values !== undefined) void submit(() => work(values))
  }

  const test = () =>
    attempt(
      fields.filter(({ name }) => (draft[name] ?? "") !== ""),
      (values) => run({ name: type.type, ...values, type: type.type })
    )

  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    attempt(fields.filter(isChanged), async (body) => {
      const record =
        monitor === undefined
          ? await create({
              body: {
                ...body,
                type: type.type,
                ...(template === undefined ? {} : { links: template.links, dependsOn: template.dependsOn })
              }
            })
          : await update(body)
      saved.current = true
      if (record.warnings !== undefined && record.warnings.length > 0) setWarned(record)
      else await navigate({ to: "/monitors/$id", params: { id: record.id } })
    })
  }

  const isVisible = (field: FormField) => isShown(field, fields, draft, errors.fields)
  const shown = (field: FormField) => {
    const Field = field.name === "regions" ? RegionsField : SchemaField
    return (
      <Field
        key={`${type.type} ${field.name}`}
        field={field}
        value={draft[field.name] ?? ""}
        error={errors.fields[field.name]}
        onChange={(value) => change(field.name, value)}
      />
    )
  }
  const moreWrong = sections.more.some(({ name }) => errors.fields[name] !== undefined)

  return (
    <>
      <Form ref={form} onSubmit={save} validationBehavior="aria" className="flex flex-col gap-5">
        {monitor === undefined && template === undefined && (
          <>
            <TextField
              label={t("What should be watched?")}
              placeholder="https://example.org"
              help={t("A web address, a host, or a host with a port. It fills in the fields below.")}
              value={watched}
              onChange={watch}
              optional
              autoFocus
              inputMode="url"
              spellCheck="false"
            />
            <Select
              label={t("Type")}
              value={type.type}
              onChange={setType}
              options={types.map(typeInWords)}
              help={typeInWords(type).help}
            />
          </>
        )}
        {sections.name !== undefined && shown({ ...sections.name, help: undefined })}
        {sections.first.filter(isVisible).map(shown)}
        {sections.common.map(shown)}
        <details open={moreWrong || undefined} className="group rounded-xl border border-line bg-surface">
          <summary className="min-h-11 cursor-default content-center rounded-xl px-4 font-medium select-none">
            {t("More settings")}
          </summary>
          <div className="flex flex-col gap-5 border-t border-line p-4">
            {sections.more.filter(isVisible).map(shown)}
          </div>
        </details>
        <FormProblem errors={errors} />
        {trial !== undefined && <TrialResult trial={trial} />}
        <div className="sticky bottom-0 -mx-1 flex flex-wrap gap-2 bg-ground px-1 py-3">
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            {monitor === undefined ? t("Create monitor") : t("Save")}
          </Button>
          {!type.passive && (
            <Button onPress={test} isDisabled={isBusy}>
              {isBusy && trial?.isRunning === true ? t("Checking…") : t("Test")}
            </Button>
          )}
        </div>
      </Form>
      <Warnings
        warnings={warned?.warnings ?? []}
        onContinue={() => void navigate({ to: "/monitors/$id", params: { id: warned?.id ?? "" } })}
        onEdit={() => {
          saved.current = monitor === undefined
          const edited = warned?.id ?? ""
          setWarned(undefined)
          if (monitor === undefined) void navigate({ to: "/monitors/$id/edit", params: { id: edited } })
        }}
      />
      <Dialog alert title={t("Leave without saving?")} isOpen={blocker.status === "blocked"} dismissable={false}>
        <p className="text-soft">{t("What you typed will be lost.")}</p>
        <div className="flex justify-end gap-2">
          <Button autoFocus onPress={() => blocker.reset?.()}>
            {t("Stay")}
          </Button>
          <Button kind="danger" onPress={() => blocker.proceed?.()}>
            {t("Leave")}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
