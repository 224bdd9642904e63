/** Choose a file of Uptime Kuma, see what it would create, and create it. */
import { useState } from "react"
import { FileTrigger } from "react-aria-components"
import { formErrors } from "../../api/problem.ts"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { t } from "../../locales/text.ts"
import { Button, RouteLink } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choice.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { duration } from "../../locales/time.ts"
import { creatable, paced, tooOften } from "./fitting.ts"
import { ImportPlan } from "./ImportPlan.tsx"
import { notesOfIntervals } from "./notes.ts"
import type { Edits, Outcomes, Plan } from "./steps.ts"
import { useApplyImport, usePlanImport } from "./writes.ts"

/** The file has no fields that an error could stand at. */
const wordsOf = (error: unknown): string | undefined => formErrors(error, []).general

export const ImportForm = () => {
  const planning = usePlanImport()
  const creating = useApplyImport()
  const [isPaced, setPaced] = useState(false)
  const found = planning.data
  const refused = found === undefined ? 0 : tooOften(found).length
  const plan =
    found !== undefined && isPaced ? { ...paced(found), notes: [...found.notes, ...notesOfIntervals(found)] } : found
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [edits, setEdits] = useState<Edits>(new Map())
  const isBusy = planning.isPending || creating.isPending
  const error = planning.error ?? creating.error

  const read = (files: FileList | null) => {
    const file = files?.[0]
    if (file === undefined) return
    creating.reset()
    setOutcomes(new Map())
    setEdits(new Map())
    setPaced(false)
    planning.mutate(file)
  }

  const create = (plan: Plan) =>
    creating.mutate({
      plan,
      done: outcomes,
      edits,
      onOutcome: (ref, outcome) => setOutcomes((known) => new Map(known).set(ref, outcome))
    })

  const count = plan?.steps.length ?? 0
  const fresh = plan === undefined ? 0 : creatable(plan).length
  const failed = [...outcomes.values()].filter(({ state }) => state === "failed").length
  const done = outcomes.size - failed
  const there = [...outcomes.values()].filter(({ state }) => state === "there").length
  const created = done - there
  const isComplete = count > 0 && done === count
  const choose = plan === undefined ? t("Choose a file") : t("Choose another file")

  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FileTrigger onSelect={read}>
          <Button kind={plan === undefined ? "primary" : "plain"} isDisabled={isBusy}>
            {choose}
          </Button>
        </FileTrigger>
        {plan !== undefined && count > 0 && !isComplete && (fresh > 0 || outcomes.size > 0) && (
          <Button kind="primary" isDisabled={isBusy} onPress={() => create(plan)}>
            {outcomes.size === 0
              ? t("{count, plural, one {Create # record} other {Create # records}}", { count: fresh })
              : t("Try again")}
          </Button>
        )}
        {isComplete && (
          <RouteLink kind="primary" to="/monitors">
            {t("Go to the monitors")}
          </RouteLink>
        )}
      </div>
      <div role="status" className="text-sm text-soft empty:hidden">
        {planning.isPending && t("Reading {name}…", { name: planning.variables.name })}
        {outcomes.size > 0 &&
          (there === 0
            ? t("{created} of {count} created", { created, count })
            : t("{created} of {count} created, {there} existed already", { created, count, there }))}
      </div>
      {error !== null && <Notice>{wordsOf(error)}</Notice>}
      {failed > 0 && !isBusy && (
        <Notice tone="degraded">
          {t(
            "{count, plural, one {# record was not created. Fix the reported problem and try again: existing records stay.} other {# records were not created. Fix the reported problems and try again: existing records stay.}}",
            { count: failed }
          )}
        </Notice>
      )}
      {plan !== undefined && refused > 0 && (
        <Checkbox isSelected={isPaced} onChange={setPaced} isDisabled={isBusy}>
          {t(
            "{count, plural, one {Use the shortest interval of the plan, {interval}, for the monitor that is checked more often} other {Use the shortest interval of the plan, {interval}, for the # monitors that are checked more often}}",
            { count: refused, interval: duration(plan.shortestInterval) }
          )}
        </Checkbox>
      )}
      {plan !== undefined && count > 0 && fresh === 0 && outcomes.size === 0 && refused === 0 && (
        <Notice>{t("Everything in this file exists already.")}</Notice>
      )}
      {plan !== undefined && count === 0 && (
        <Notice tone="degraded">{t("Nothing in this file can be carried over.")}</Notice>
      )}
      {plan !== undefined && (
        <ImportPlan
          plan={plan}
          outcomes={outcomes}
          edits={edits}
          onEdit={(ref, path, text) =>
            setEdits((known) => new Map(known).set(ref, { ...known.get(ref), [path]: text }))
          }
        />
      )}
      <LeaveGuard isChanged={() => creating.isPending} />
    </>
  )
}
