/**
 * The onboarding: one field for the target, a trial before anything is saved, the recipients, and then all records are
 * created.
 */
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, type SyntheticEvent, useRef, useState } from "react"
import { Form } from "react-aria-components"
import type { CheckType } from "../../api/checkTypes.ts"
import { type FormErrors, formErrors, noErrors, type Sorting } from "../../api/problem.ts"
import { useSorted } from "../../api/useSubmit.ts"
import { fieldsOf, isUnreadable, valueOfField } from "../../forms/schema.ts"
import { TrialResult } from "../../forms/TrialResult.tsx"
import { watched, type Watched } from "../../forms/watched.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { useTrial } from "../../live/useTrial.ts"
import { t, type Text } from "../../locales/text.ts"
import { Button, RouteLink } from "../../ui/Button.tsx"
import { Segments } from "../../ui/Choice.tsx"
import { DurationField } from "../../ui/DurationField.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { Section } from "../../ui/Section.tsx"
import { type Channel, type Made, SetupFailed, useSetUp } from "./writes.ts"
import { type Commit, type NamedType, Tell } from "./Tell.tsx"
import { WhoIsTold } from "./WhoIsTold.tsx"

const names: Readonly<Record<Watched["type"], Text>> = {
  http: "Website",
  tcp: "Port",
  ping: "Host (TCP port 80)",
  icmp: "Ping (ICMP)",
  dns: "DNS record",
  heartbeat: "Job"
}

type Fields = Readonly<Record<string, string>>

/** The rule comes after the monitor, and has no field of its own here. */
const sorting: Sorting<FormErrors> = {
  none: noErrors,
  errorsOf: (error) =>
    error instanceof SetupFailed && error.part !== "monitor"
      ? {
          fields: {},
          general: t(
            "The monitor was created, but not the rule that tells you of outages: {reason} Try again: nothing is made twice.",
            { reason: error.message }
          )
        }
      : formErrors(error instanceof SetupFailed ? error.cause : error, ["name", "interval"])
}

export interface OnboardingProps {
  readonly types: ReadonlyArray<CheckType>
  readonly channels: ReadonlyArray<Channel>
  readonly channelTypes: ReadonlyArray<NamedType>
  /** The recipients that are already told of outages of every monitor. */
  readonly told: { readonly channelIds: ReadonlyArray<string>; readonly isEscalated: boolean }
  readonly confirmation: (channel: Channel) => ReactNode
  /** Something was typed: the page should stay although there may be monitors by now. */
  readonly onBegin?: () => void
}

export const Onboarding = ({ channels, channelTypes, confirmation, onBegin, told, types }: OnboardingProps) => {
  const { store } = useProjectData()
  const navigate = useNavigate()
  const { clear, run, trial } = useTrial()
  const [text, setText] = useState("")
  const [choices, setChoices] = useState<ReadonlyArray<Watched>>([])
  const [typeName, setType] = useState<Watched["type"] | undefined>(undefined)
  const [fields, setFields] = useState<Fields>({})
  const { errors, isBusy, setErrors, submit } = useSorted(sorting)
  const [chosen, setChosen] = useState<ReadonlyArray<string>>([])
  const [made, setMade] = useState<Made>({})
  const { mutateAsync: setUp } = useSetUp()
  const commit: Commit = useRef(undefined)
  // A rule for all monitors is right while there is none that another rule may watch.
  const [everyMonitor] = useState(store.monitors.size === 0)
  const type = types.find((each) => each.type === typeName)

  const valuesOf = (type: CheckType, given: Fields): Record<string, unknown> => ({
    type: type.type,
    ...Object.fromEntries(
      fieldsOf(type.schema).flatMap((field) => {
        const text = given[field.name] ?? ""
        // The server refuses unreadable values at their field.
        const value = isUnreadable(field, text) ? text : valueOfField(field, text)
        return value === undefined ? [] : [[field.name, value]]
      })
    )
  })

  const choose = (choice: Watched) => {
    const next = types.find((each) => each.type === choice.type)
    if (next === undefined) return
    const interval = fieldsOf(next.schema).find((field) => field.name === "interval")?.fallback
    const own = { ...(typeof interval === "number" ? { interval: String(interval) } : {}), ...choice.fields }
    setType(choice.type)
    setFields(own)
    setErrors(noErrors)
    setMade({})
    clear()
    if (!next.passive) void run(valuesOf(next, own)).catch((error: unknown) => setErrors(sorting.errorsOf(error)))
  }

  const begin = (typed: string) => {
    const found = watched(typed).filter((choice) => types.some((each) => each.type === choice.type))
    setChoices(found)
    if (found[0] !== undefined) {
      onBegin?.()
      return choose(found[0])
    }
    clear()
    setType(undefined)
    setErrors({
      fields: {
        text: t("Enter a web address, a host, a host with a port, or the schedule of a job, such as “every hour”.")
      },
      general: undefined
    })
  }

  const save = (type: CheckType) =>
    submit(async () => {
      const added = await commit.current?.()
      if (commit.current !== undefined && added === undefined) return
      const channelIds = added === undefined ? chosen : [...new Set([...chosen, added.id])]
      const wanted = { monitor: valuesOf(type, fields), channelIds, everyMonitor }
      try {
        const { monitor } = await setUp({ wanted, already: made })
        await navigate({ to: "/welcome", search: { monitor: monitor.id } })
      } catch (error) {
        if (error instanceof SetupFailed) setMade(error.made)
        throw error
      }
    })

  const schedule = fields["schedule"]
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Form
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault()
          begin(text)
        }}
        validationBehavior="aria"
        className="flex flex-col gap-3"
      >
        <div className="flex flex-wrap items-start gap-2">
          <div className="min-w-0 flex-1 basis-72">
            <TextField
              label={t("What should we watch?")}
              placeholder="https://example.org"
              help={t(
                "A web address, a host, host:port, or a job: “nightly backup”, “every 5 minutes”, or its cron expression"
              )}
              error={errors.fields["text"]}
              value={text}
              onChange={(value) => {
                setText(value)
                setErrors(noErrors)
              }}
              onPaste={(event) => {
                const pasted = event.clipboardData.getData("text").trim()
                if (text === "" && watched(pasted).length > 0) {
                  event.preventDefault()
                  setText(pasted)
                  begin(pasted)
                }
              }}
              autoFocus
              inputMode="url"
              spellCheck="false"
            />
          </div>
          <Button kind="primary" type="submit" className="sm:mt-6" isDisabled={text.trim() === ""}>
            {watched(text)[0]?.type === "heartbeat" ? t("Describe the job") : t("Check it now")}
          </Button>
        </div>
      </Form>

      {type !== undefined && (
        <>
          <Section title={type.passive ? t("A job that reports") : t("This is what we see")}>
            {choices.length > 1 && (
              <Segments
                label={t("Type")}
                options={choices.map(({ type }) => ({ id: type, label: t(names[type]) }))}
                value={type.type}
                onChange={(id) => {
                  const choice = choices.find((each) => each.type === id)
                  if (choice !== undefined) choose(choice)
                }}
              />
            )}
            {type.passive ? (
              <p className="text-soft">
                {t(
                  "The job calls an address when it is done. When a call is missing, you are told. You get the address in the last step."
                )}
              </p>
            ) : (
              trial !== undefined && <TrialResult trial={trial} />
            )}
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label={t("Name")}
                name="name"
                value={fields["name"] ?? ""}
                onChange={(value) => setFields((known) => ({ ...known, name: value }))}
                error={errors.fields["name"]}
                isRequired
                autoComplete="off"
              />
              {schedule === undefined ? (
                <DurationField
                  label={type.passive ? t("Expected every") : t("Interval")}
                  value={fields["interval"] ?? ""}
                  onChange={(interval) => setFields((known) => ({ ...known, interval }))}
                  error={errors.fields["interval"]}
                />
              ) : (
                <TextField
                  label={t("Schedule")}
                  value={schedule}
                  onChange={(value) => setFields((known) => ({ ...known, schedule: value }))}
                  help={t("Five fields, as in a crontab, in UTC unless the form of the monitor says otherwise.")}
                  code
                />
              )}
            </div>
          </Section>

          <Section title={t("Tell me by")}>
            <Tell
              channels={channels}
              types={channelTypes}
              chosen={chosen}
              commit={commit}
              onChoose={setChosen}
              confirmation={confirmation}
              isTold={told.isEscalated || told.channelIds.length > 0}
            />
            <WhoIsTold channels={channels} chosen={chosen} everyMonitor={everyMonitor} told={told} />
          </Section>

          <div className="sticky bottom-0 -mx-1 flex flex-wrap gap-2 bg-ground px-1 py-3 max-md:bottom-14">
            <FormProblem errors={errors} className="w-full" />
            <Button kind="primary" onPress={() => void save(type)} isDisabled={isBusy}>
              {made.monitor === undefined ? t("Start watching") : t("Try again")}
            </Button>
            {made.monitor !== undefined && (
              <RouteLink kind="plain" to="/welcome" search={{ monitor: made.monitor.id }}>
                {t("Continue without it")}
              </RouteLink>
            )}
          </div>
        </>
      )}
    </div>
  )
}
