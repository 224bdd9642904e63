/**
 * The recipients of outages: existing channels, or a new one that is tested with a real message before anything is
 * saved.
 */
import type { ChannelTypeRecord } from "@kanmon/protocol/PluginBody"
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from "react"
import { useCreateChannel, useTestChannel, useUpdateChannel } from "../../api/channels.ts"
import { byField, reasonOf } from "../../api/problem.ts"
import { useSorted } from "../../api/useSubmit.ts"
import { readFields } from "../../forms/readFields.ts"
import { configFieldsOf, isShown } from "../../forms/schema.ts"
import { SchemaField } from "../../forms/SchemaField.tsx"
import { destinationIn, unlike } from "../../forms/destination.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { channelNameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox, Segments, Select } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { type Channel, type ChannelDraft, keysOf } from "./writes.ts"

/** The most common types, in this order; the others are behind "More". */
const commonest = ["email", "slack", "webhook", "ntfy", "telegram"]

/** A channel type with the name that people know. */
export interface NamedType extends ChannelTypeRecord {
  readonly label: string
}

type Test = { readonly state: "sending" } | { readonly state: "delivered" | "failed"; readonly detail: string }

/** Makes the channel that was typed but not added yet; undefined when there is none, or nothing to do. */
export type Commit = RefObject<(() => Promise<Channel | undefined>) | undefined>

const NewChannel = ({
  commit,
  confirmation,
  names,
  onMade,
  type
}: {
  readonly type: NamedType
  readonly commit: Commit
  /** The names of the other channels. */
  readonly names: ReadonlyArray<string>
  readonly onMade: (channel: Channel) => void
  /** Asks for the code that the recipient got. */
  readonly confirmation: (channel: Channel) => ReactNode
}) => {
  const { project } = useProjectData()
  const { mutateAsync: create } = useCreateChannel(project)
  const { mutateAsync: update } = useUpdateChannel(project)
  const { mutateAsync: sendTest } = useTestChannel(project)
  const fields = useMemo(() => configFieldsOf(type.schema), [type])
  const [keyFor] = useState(keysOf)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [typedName, setTypedName] = useState<string | undefined>(undefined)
  const { errors, isBusy, setErrors, submit } = useSorted(
    byField(["name", ...fields.map((field) => field.name)], "config.")
  )
  const [channel, setChannel] = useState<Channel | undefined>(undefined)
  const [test, setTest] = useState<Test | undefined>(undefined)
  /** The texts that the channel has, as far as it was made. */
  const [sent, setSent] = useState("")
  const visible = fields.filter((field) => isShown(field, fields, texts, errors.fields))
  const others = names.filter((name) => name !== channel?.name)
  // It follows the settings until somebody writes another one.
  const name = typedName ?? unlike(channelNameOf(type.type, type.label, destinationIn(fields, texts)), others)
  const shown = visible.filter(({ required }) => required)
  const rest = visible.filter(({ required }) => !required)

  /** A test needs a channel; one that was made with a mistake is corrected. */
  const made = (body: ChannelDraft): Promise<Channel> =>
    channel === undefined
      ? create({ body, idempotencyKey: keyFor("channel", body) })
      : update({ channelId: channel.id, body: { name: body.name, config: body.config } })

  const tested = async (id: string): Promise<Test> => {
    try {
      return { state: "delivered", detail: (await sendTest(id)).detail }
    } catch (error) {
      return { state: "failed", detail: reasonOf(error) }
    }
  }

  const tryOut = async (): Promise<Channel | undefined> => {
    const { errors, values: config } = readFields(fields, texts, undefined)
    setErrors(errors)
    if (config === undefined) return undefined
    let now: Channel | undefined
    await submit(async () => {
      now = await made({ name: name.trim(), type: type.type, config })
      setChannel(now)
      setSent(JSON.stringify({ name, texts }))
      onMade(now)
      if (now.confirmation === "pending") return
      setTest({ state: "sending" })
      setTest(await tested(now.id))
    })
    return now
  }
  useEffect(() => {
    const isTyped = Object.values(texts).some((text) => text.trim() !== "")
    commit.current = isTyped && JSON.stringify({ name, texts }) !== sent ? tryOut : undefined
    return () => {
      commit.current = undefined
    }
  })

  const control = (field: (typeof fields)[number]) => (
    <SchemaField
      key={field.name}
      field={field}
      value={texts[field.name] ?? ""}
      error={errors.fields[field.name]}
      onChange={(value) => {
        setTexts((known) => ({ ...known, [field.name]: value }))
        setTest(undefined)
        setErrors(({ fields: { [field.name]: _, ...others }, general }) => ({ fields: others, general }))
      }}
    />
  )

  return (
    <div className="flex flex-col gap-4">
      {!type.ready && (
        <Notice tone="degraded">
          {t("The operator of this installation has not configured this type yet: every delivery will fail.")}
        </Notice>
      )}
      {shown.map(control)}
      {rest.length > 0 && (
        <details open={rest.some(({ name }) => errors.fields[name] !== undefined) || undefined}>
          <summary className="min-h-9 w-fit cursor-default content-center text-sm text-accent pointer-coarse:min-h-11">
            {t("More settings")}
          </summary>
          <div className="mt-2 flex flex-col gap-4">{rest.map(control)}</div>
        </details>
      )}
      <TextField
        label={t("Name of the channel")}
        value={name}
        onChange={setTypedName}
        error={errors.fields["name"]}
        isRequired
        autoComplete="off"
      />
      <FormProblem errors={errors} />
      <div>
        <Button
          isDisabled={isBusy || name.trim() === "" || shown.some(({ name }) => (texts[name] ?? "").trim() === "")}
          onPress={() => void tryOut()}
        >
          {isBusy ? t("Sending…") : t("Add and send a test")}
        </Button>
      </div>
      <div role="status" aria-live="polite" className="empty:hidden">
        {test?.state === "delivered" && (
          <Notice tone="up">{t("The test was delivered: {detail}", { detail: test.detail })}</Notice>
        )}
        {test?.state === "failed" && (
          <Notice>{t("The test was not delivered: {detail}", { detail: test.detail })}</Notice>
        )}
      </div>
      {channel?.confirmation === "pending" && confirmation(channel)}
    </div>
  )
}

export const Tell = ({
  channels,
  chosen,
  commit,
  confirmation,
  isTold,
  onChoose,
  types
}: {
  readonly channels: ReadonlyArray<Channel>
  readonly types: ReadonlyArray<NamedType>
  readonly chosen: ReadonlyArray<string>
  readonly commit: Commit
  readonly onChoose: (ids: ReadonlyArray<string>) => void
  readonly confirmation: (channel: Channel) => ReactNode
  /** Whether somebody is told without a channel that is chosen here. */
  readonly isTold: boolean
}) => {
  const [made, setMade] = useState<ReadonlyArray<string>>([])
  const common = commonest.flatMap((name) => types.filter(({ type }) => type === name))
  const [kind, setKind] = useState(
    isTold || channels.length > 0 ? "none" : (common.find(({ ready }) => ready)?.type ?? "none")
  )
  const [other, setOther] = useState<string | undefined>(undefined)
  const others = types.filter(({ type }) => !commonest.includes(type))
  const type = types.find((each) => each.type === (kind === "more" ? other : kind))
  const labelOf = (name: string) => types.find((each) => each.type === name)?.label ?? name
  const toggle = (id: string, isOn: boolean) => onChoose(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))

  return (
    <div className="flex flex-col gap-4">
      {channels.length > 0 && (
        <div role="group" aria-label={t("Your channels")} className="flex flex-col">
          {channels.map(({ id, name, type }) => (
            <Checkbox key={id} isSelected={chosen.includes(id)} onChange={(isOn) => toggle(id, isOn)}>
              <span className="min-w-0 truncate">
                <bdi>{name}</bdi>
                {labelOf(type) !== name && <span className="text-soft"> {labelOf(type)}</span>}
              </span>
            </Checkbox>
          ))}
        </div>
      )}
      <Segments
        label={t("New channel")}
        options={[
          ...common.map(({ label, type }) => ({ id: type, label })),
          ...(others.length === 0 ? [] : [{ id: "more", label: t("More") }]),
          { id: "none", label: isTold || channels.length > 0 ? t("No new one") : t("No one for now") }
        ]}
        value={kind}
        onChange={setKind}
      />
      {kind === "more" && (
        <Select
          label={t("Type")}
          value={other ?? ""}
          onChange={setOther}
          options={others.map(({ label, summary, type }) => ({ id: type, label, help: summary }))}
        />
      )}
      {type !== undefined && (
        <NewChannel
          key={type.type}
          type={type}
          commit={commit}
          names={channels.map(({ name }) => name)}
          confirmation={(channel) => confirmation(channels.find(({ id }) => id === channel.id) ?? channel)}
          onMade={(channel) => {
            if (made.includes(channel.id)) return
            setMade([...made, channel.id])
            onChoose([...chosen, channel.id])
          }}
        />
      )}
    </div>
  )
}
