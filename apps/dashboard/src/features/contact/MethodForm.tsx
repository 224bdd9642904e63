/** The form of a contact method, rendered from the schema of its type. */
import type { ChannelTypeRecord } from "@kanmon/protocol/PluginBody"
import { useMemo, useState } from "react"
import { byField, noErrors } from "../../api/problem.ts"
import { useSorted } from "../../api/useSubmit.ts"
import { readFields } from "../../forms/readFields.ts"
import { configFieldsOf, type FormField, isShown, textOf } from "../../forms/schema.ts"
import { SchemaField } from "../../forms/SchemaField.tsx"
import { nameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { byName } from "../../ui/collation.ts"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import type { Method } from "./queries.ts"
import { useCreateMethod, useUpdateMethod } from "./writes.ts"

type Texts = Readonly<Record<string, string>>

/** The most common methods come first. */
const commonest = ["phone", "sms", "email", "telegram", "ntfy", "pushover"]

const placeOf = (type: string): number => {
  const place = commonest.indexOf(type)
  return place < 0 ? commonest.length : place
}

const namedAs = ({ title, type }: ChannelTypeRecord): string => nameOf(type, title)

const textsOf = (fields: ReadonlyArray<FormField>, method: Method | undefined): Texts =>
  Object.fromEntries(fields.map(({ kind, name }) => [name, textOf(kind, method?.config[name])]))

export const MethodForm = ({
  method,
  onClose,
  onSaved,
  types
}: {
  /** Undefined for a new one. */
  readonly method: Method | undefined
  /** Types that reach a person. */
  readonly types: ReadonlyArray<ChannelTypeRecord>
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const offered = useMemo(
    () =>
      types.toSorted(
        (a, b) =>
          Number(b.ready) - Number(a.ready) || placeOf(a.type) - placeOf(b.type) || byName(namedAs(a), namedAs(b))
      ),
    [types]
  )
  const { mutateAsync: create } = useCreateMethod()
  const { mutateAsync: update } = useUpdateMethod()
  const [chosen, setChosen] = useState(method?.type ?? offered[0]?.type ?? "")
  const type = offered.find((each) => each.type === chosen)
  const fields = useMemo(
    // A method has one recipient: optional lists are of further ones.
    () =>
      (type === undefined ? [] : configFieldsOf(type.schema)).filter(
        ({ kind, required }) => kind !== "list" || required
      ),
    [type]
  )
  const initial = useMemo(() => textsOf(fields, method), [fields, method])
  const [name, setName] = useState(method?.name ?? "")
  const [typed, setTyped] = useState<Texts>({})
  const { errors, isBusy, setErrors, submit } = useSorted(
    byField(["name", "type", ...fields.map((field) => field.name)], "config.")
  )
  const texts = { ...initial, ...typed }
  const changed = fields.filter((field) => texts[field.name] !== initial[field.name])
  const isChanged = changed.length > 0

  const save = async () => {
    const { errors, values: config } = readFields(changed, texts, null)
    setErrors(errors)
    if (config === undefined || type === undefined) return
    const called = name.trim() === "" ? namedAs(type) : name.trim()
    await submit(async () => {
      await (method === undefined
        ? create({ name: called, type: type.type, config })
        : update({ contactMethodId: method.id, body: { name: called, ...(isChanged ? { config } : {}) } }))
      onSaved()
    })
  }

  return (
    <DialogForm
      action={method === undefined ? t("Add and send a code") : t("Save")}
      errors={errors}
      isBusy={isBusy}
      isReady={type !== undefined}
      onClose={onClose}
      onSend={save}
    >
      {method === undefined && (
        <Select
          label={t("By|means")}
          value={chosen}
          onChange={(id) => {
            setChosen(id)
            setTyped({})
            setErrors(noErrors)
          }}
          options={offered.map((each) => ({ id: each.type, label: namedAs(each), help: each.summary }))}
          error={errors.fields["type"]}
        />
      )}
      {type !== undefined && !type.ready && (
        <Notice tone="degraded">
          {t("The operator of this installation has not configured this type yet: every delivery will fail.")}
        </Notice>
      )}
      {fields
        .filter((field) => isShown(field, fields, texts, errors.fields))
        .map((field) => (
          <SchemaField
            key={`${chosen} ${field.name}`}
            field={field}
            value={texts[field.name] ?? ""}
            error={errors.fields[field.name]}
            onChange={(value) => {
              setTyped((known) => ({ ...known, [field.name]: value }))
              setErrors(({ fields: { [field.name]: _, ...rest }, general }) => ({ fields: rest, general }))
            }}
          />
        ))}
      <TextField
        label={t("Name")}
        help={t("How your notification rules call it, such as “My phone”")}
        placeholder={type === undefined ? "" : namedAs(type)}
        optional
        value={name}
        onChange={setName}
        error={errors.fields["name"]}
        autoComplete="off"
      />
      {method !== undefined && isChanged && (
        <p className="text-small text-soft">{t("A new code is sent there, and nothing else until it is entered.")}</p>
      )}
    </DialogForm>
  )
}
