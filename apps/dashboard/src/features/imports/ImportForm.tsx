/** Choose a file of Uptime Kuma, see what it would create, and create it. */
import { useState } from "react"
import { FileTrigger } from "react-aria-components"
import { formErrors } from "../../api/problem.ts"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { useProjectData } from "../../live/ProjectData.tsx"
import { t } from "../../locales/text.ts"
import { Button, RouteLink } from "../../ui/Button.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { ImportPlan } from "./ImportPlan.tsx"
import { apply, type Edits, type Outcome, type Outcomes, type Plan } from "./steps.ts"
import { usePlanImport } from "./writes.ts"

/** The file has no fields that an error could stand at. */
const wordsOf = (error: unknown): string | undefined => formErrors(error, []).general

export const ImportForm = () => {
  const { project, reload } = useProjectData()
  const { mutateAsync: planImport } = usePlanImport()
  const [plan, setPlan] = useState<Plan | undefined>(undefined)
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [edits, setEdits] = useState<Edits>(new Map())
  const [busy, setBusy] = useState<{ readonly reading: string } | "creating" | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)

  const read = async (files: FileList | null) => {
    const file = files?.[0]
    if (file === undefined) return
    setBusy({ reading: file.name })
    setProblem(undefined)
    setPlan(undefined)
    setOutcomes(new Map())
    setEdits(new Map())
    try {
      setPlan(await planImport(file))
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setBusy(undefined)
  }

  const create = async (planned: Plan) => {
    setBusy("creating")
    setProblem(undefined)
    try {
      await apply(planned, outcomes, edits, project.headers, (ref: string, outcome: Outcome) =>
        setOutcomes((known) => new Map(known).set(ref, outcome))
      )
    } catch (error) {
      setProblem(wordsOf(error))
    }
    reload()
    setBusy(undefined)
  }

  const count = plan?.steps.length ?? 0
  const failed = [...outcomes.values()].filter(({ state }) => state === "failed").length
  const done = outcomes.size - failed
  const there = [...outcomes.values()].filter(({ state }) => state === "there").length
  const created = done - there
  const isComplete = count > 0 && done === count
  const choose = plan === undefined ? t("Choose a file") : t("Choose another file")

  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FileTrigger onSelect={(files) => void read(files)}>
          <Button kind={plan === undefined ? "primary" : "plain"} isDisabled={busy !== undefined}>
            {choose}
          </Button>
        </FileTrigger>
        {plan !== undefined && count > 0 && !isComplete && (
          <Button kind="primary" isDisabled={busy !== undefined} onPress={() => void create(plan)}>
            {outcomes.size === 0
              ? t("{count, plural, one {Create the record} other {Create all # records}}", { count })
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
        {typeof busy === "object" && t("Reading {name}…", { name: busy.reading })}
        {outcomes.size > 0 &&
          (there === 0
            ? t("{created} of {count} created", { created, count })
            : t("{created} of {count} created, {there} existed already", { created, count, there }))}
      </div>
      {problem !== undefined && <Notice>{problem}</Notice>}
      {failed > 0 && busy === undefined && (
        <Notice tone="degraded">
          {t(
            "{count, plural, one {# record was not created. Fix the reported problem and try again: existing records stay.} other {# records were not created. Fix the reported problems and try again: existing records stay.}}",
            { count: failed }
          )}
        </Notice>
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
      <LeaveGuard isChanged={() => busy === "creating"} />
    </>
  )
}
