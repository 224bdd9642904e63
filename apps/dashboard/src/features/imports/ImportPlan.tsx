/** The parts of an import without a counterpart, its new records, and its progress. */
import { type ReactNode, useMemo } from "react"
import { t, type Text } from "../../locales/text.ts"
import { duration } from "../../locales/time.ts"
import { TextField } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { intervalIn, monitorsIn, targetIn, toldOf, typeIn } from "./preview.ts"
import { type Edits, type Outcome, type Outcomes, type Plan, type Step, textAt } from "./steps.ts"

const kinds = {
  channel: "Channels",
  monitor: "Monitors",
  maintenance: "Maintenance",
  rule: "Rules",
  page: "Status pages"
} as const satisfies Record<Step["kind"], Text>

const Part = ({
  children,
  count,
  title
}: {
  readonly title: string
  readonly count: number
  readonly children: ReactNode
}) => (
  <section className="flex min-w-0 flex-col gap-2">
    <h2>
      {title} <span className="font-normal text-soft">{count}</span>
    </h2>
    <ul
      // Long lists scroll, also by keyboard.
      tabIndex={0}
      aria-label={title}
      className="max-h-96 divide-y divide-line overflow-y-auto rounded-xl border border-line bg-surface"
    >
      {children}
    </ul>
  </section>
)

const Result = ({ exists, outcome }: { readonly exists: boolean; readonly outcome: Outcome | undefined }) => {
  if (outcome === undefined) return exists ? <span className="text-small text-soft">{t("Exists already")}</span> : null
  if (outcome.state === "failed")
    return outcome.reason === undefined ? null : (
      <span className="basis-full text-small text-down">{outcome.reason}</span>
    )
  const warnings = outcome.state === "created" ? outcome.warnings : []
  return (
    <>
      <span className="flex items-center gap-1.5 text-small text-up">
        <Icon name="check" className="size-3.5" />
        {outcome.state === "there" ? t("Exists already") : t("Created")}
      </span>
      {warnings.map((message) => (
        <span key={message} className="basis-full text-small text-degraded">
          {message}
        </span>
      ))}
    </>
  )
}

const names: Readonly<Record<string, Text>> = {
  slug: "Address",
  customDomain: "Custom domain",
  name: "Name",
  title: "Title",
  url: "URL",
  "config.url": "URL"
}

interface Editing {
  readonly edits: Edits
  readonly onEdit: (ref: string, path: string, text: string) => void
}

/** The texts of a record that the server refused, to be changed before the next attempt. */
const Refused = ({ edits, onEdit, outcome, step }: Editing & { readonly step: Step; readonly outcome: Outcome }) => {
  if (outcome.state !== "failed") return null
  return Object.entries(outcome.refused).map(([path, message]) => {
    const changed = edits.get(step.ref)?.[path]
    const name = names[path]
    return (
      <div key={path} className="basis-full">
        <TextField
          label={name === undefined ? path : t(name)}
          value={changed ?? textAt(step.body, path) ?? ""}
          onChange={(text) => onEdit(step.ref, path, text)}
          error={message}
          isErrorInPlace
          spellCheck="false"
          autoComplete="off"
        />
      </div>
    )
  })
}

/** The details of a record besides its name. */
const Details = ({ step, told }: { readonly step: Step; readonly told: ReturnType<typeof toldOf> }) => {
  const interval = intervalIn(step)
  const channels = told(step.ref)
  const count = monitorsIn(step)
  const facts = [
    typeIn(step),
    targetIn(step),
    step.kind === "monitor" && interval !== undefined
      ? t("every {duration}", { duration: duration(interval) })
      : undefined,
    step.kind === "monitor"
      ? channels.length === 0
        ? t("no channel is told of an outage")
        : t("tells {channels}", { channels: channels.join(", ") })
      : step.kind === "channel"
        ? undefined
        : count > 0
          ? t("{count, plural, one {# monitor} other {# monitors}}", { count })
          : undefined
  ].filter((fact) => fact !== undefined)
  return facts.length === 0 ? null : <bdi className="block text-small wrap-anywhere text-soft">{facts.join(" · ")}</bdi>
}

export const ImportPlan = ({
  edits,
  onEdit,
  outcomes,
  plan
}: Editing & { readonly plan: Plan; readonly outcomes: Outcomes }) => {
  const told = useMemo(() => toldOf(plan), [plan])
  const leftOut = plan.notes.filter((note) => note.leftOut)
  const review = plan.notes.filter((note) => note.review)
  const changed = plan.notes.filter((note) => !note.leftOut && !note.review)
  const parts: ReadonlyArray<readonly [string, typeof leftOut]> = [
    [t("Left out"), leftOut],
    [t("Carried over, but look at it"), review],
    [t("To know"), changed]
  ]
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {parts.map(
        ([title, notes]) =>
          notes.length > 0 && (
            <Part key={title} title={title} count={notes.length}>
              {notes.map(({ about, notes: said }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- two records can have one name; the list never changes
                <li key={index} className="px-4 py-2 text-sm">
                  <bdi className="font-medium">{about}</bdi>
                  {said.map((text) => (
                    <p key={text} className="text-soft">
                      {text}
                    </p>
                  ))}
                </li>
              ))}
            </Part>
          )
      )}
      {Object.entries(kinds).map(([kind, text]) => {
        const steps = plan.steps.filter((step) => step.kind === kind)
        if (steps.length === 0) return null
        return (
          <Part key={kind} title={t(text)} count={steps.length}>
            {steps.map((step) => {
              const outcome = outcomes.get(step.ref)
              return (
                <li
                  key={step.ref}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 text-sm"
                >
                  <span className="min-w-0">
                    <bdi className="font-medium">{step.name}</bdi>
                    <Details step={step} told={told} />
                  </span>
                  <Result outcome={outcome} exists={step.exists} />
                  {outcome !== undefined && <Refused step={step} outcome={outcome} edits={edits} onEdit={onEdit} />}
                </li>
              )
            })}
          </Part>
        )
      })}
    </div>
  )
}
