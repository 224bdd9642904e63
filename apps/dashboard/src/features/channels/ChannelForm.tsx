/** The form that creates or changes a channel, rendered from the schema of its type. */
import type { ChannelTypeRecord } from "@kanmon/protocol/PluginBody"
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useMemo } from "react"
import { Form } from "react-aria-components"
import { channelsQuery, useCreateChannel, useUpdateChannel } from "../../api/channels.ts"
import { byField } from "../../api/problem.ts"
import { useDraft } from "../../api/useDraft.ts"
import { ConflictNotice } from "../../forms/ConflictNotice.tsx"
import { destinationIn } from "../../forms/destination.ts"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { quietDraftOf, quietHoursOf } from "../../forms/quietHours.ts"
import { QuietHoursFields } from "../../forms/QuietHoursFields.tsx"
import { readFields } from "../../forms/readFields.ts"
import { configFieldsOf, type FormField, isShown, textOf } from "../../forms/schema.ts"
import { SchemaField } from "../../forms/SchemaField.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { channelNameOf } from "../../locales/channelNames.ts"
import { t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { type Channel, useTest } from "./queries.ts"
import { TestResult } from "./TestResult.tsx"
import { useShownTest } from "./writes.ts"

type Texts = Readonly<Record<string, string>>

const textsOf = (fields: ReadonlyArray<FormField>, config: Readonly<Record<string, unknown>> | undefined): Texts =>
  Object.fromEntries(fields.map(({ kind, name }) => [name, textOf(kind, config?.[name])]))

export const ChannelForm = ({ channel, type }: { readonly channel?: Channel; readonly type: ChannelTypeRecord }) => {
  const { project } = useProjectData()
  const { mutateAsync: create } = useCreateChannel(project)
  const { mutateAsync: update } = useUpdateChannel(project)
  const sendTest = useShownTest()
  const navigate = useNavigate()
  const fields = useMemo(() => configFieldsOf(type.schema), [type])
  const {
    change,
    conflict,
    errors,
    fields: { quietHours, texts, typedName },
    initial,
    isBusy,
    isChanged,
    save,
    setErrors
  } = useDraft(
    (known: Channel | undefined) => ({
      typedName: known?.name,
      texts: textsOf(fields, known?.config),
      quietHours: quietDraftOf(known?.quietHours ?? null, ownZone())
    }),
    byField(["name", "quietHours.*", "quietHours", ...fields.map((field) => field.name)], "config."),
    undefined,
    { record: channel, query: channelsQuery(project) }
  )
  // It follows the settings until somebody writes another one.
  const name = typedName ?? channelNameOf(type.type, type.title, destinationIn(fields, texts))
  const test = useTest(channel?.id ?? "")
  const isFieldChanged = ({ name }: FormField) => texts[name] !== initial.texts[name]

  const send = (config: Readonly<Record<string, unknown>>) => {
    const hours = quietHours === initial.quietHours ? {} : { quietHours: quietHoursOf(quietHours) }
    return channel === undefined
      ? create({ body: { name, type: type.type, config, ...hours } })
      : update({
          channelId: channel.id,
          body: { name, ...hours, ...(Object.keys(config).length === 0 ? {} : { config }) }
        })
  }

  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const { errors, values: config } = readFields(fields.filter(isFieldChanged), texts, null)
    setErrors(errors)
    if (config === undefined) return
    void save(
      () => send(config),
      ({ confirmation, id }) => {
        if (channel !== undefined) return navigate({ to: "/channels" })
        if (confirmation !== "pending") void sendTest(id)
        return navigate({ to: "/channels/$id", params: { id }, replace: true })
      }
    )
  }

  return (
    <>
      <Form onSubmit={submit} validationBehavior="aria" className="flex flex-col gap-5">
        {!type.ready && (
          <Notice tone="degraded">
            {t("The operator of this installation has not configured this type yet: every delivery will fail.")}
          </Notice>
        )}
        <TextField
          label={t("Name")}
          name="name"
          value={name}
          onChange={(typedName) => change({ typedName })}
          error={errors.fields["name"]}
          isRequired
          autoComplete="off"
        />
        {fields
          .filter((field) => isShown(field, fields, texts, errors.fields))
          .map((field) => (
            <SchemaField
              key={field.name}
              field={field}
              value={texts[field.name] ?? ""}
              error={errors.fields[field.name]}
              onChange={(value) => {
                change({ texts: { ...texts, [field.name]: value } })
                setErrors(({ fields: { [field.name]: _, ...rest }, general }) => ({ fields: rest, general }))
              }}
            />
          ))}
        <section className="flex min-w-0 flex-col gap-2 border-t border-line pt-5">
          <h2>{t("Quiet hours")}</h2>
          <QuietHoursFields
            value={quietHours}
            onChange={(quietHours) => change({ quietHours })}
            errors={errors.fields}
          />
          {quietHours.windows.length > 0 && (
            <p className="text-small text-soft">
              {t(
                "Messages that wait arrive as one at the end of the hours, without alerts that are over by then. Pages of escalation policies do not wait."
              )}
            </p>
          )}
        </section>
        <ConflictNotice of={conflict} />
        <FormProblem errors={errors} />
        {channel !== undefined && <TestResult channel={channel} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" isDisabled={isBusy || name.trim() === ""}>
            {channel === undefined ? t("Create and send a test") : t("Save")}
          </Button>
          {channel !== undefined && channel.confirmation !== "pending" && (
            <Button isDisabled={test?.state === "sending"} onPress={() => void sendTest(channel.id)}>
              {test?.state === "sending" ? t("Sending…") : t("Send a test")}
            </Button>
          )}
        </div>
      </Form>
      <LeaveGuard isChanged={isChanged} />
    </>
  )
}
