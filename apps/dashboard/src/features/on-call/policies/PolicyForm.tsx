/** The form of an escalation policy; its sentences follow what is chosen. */
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { policiesQuery, type Policy } from "../../../api/policies.ts"
import { ApiError, formErrors, noErrors } from "../../../api/problem.ts"
import { useDraft } from "../../../api/useDraft.ts"
import { ConflictNotice } from "../../../forms/ConflictNotice.tsx"
import { LeaveGuard } from "../../../forms/LeaveGuard.tsx"
import { t } from "../../../locales/text.ts"
import { Button, IconButton } from "../../../ui/Button.tsx"
import { Select, Switch } from "../../../ui/Choice.tsx"
import { TextField } from "../../../ui/Field.tsx"
import { FormProblem } from "../../../ui/FormProblem.tsx"
import { Icon } from "../../../ui/Icon.tsx"
import { NumberField } from "../../../ui/NumberField.tsx"
import { bodyOf, draftOf, fresh, isWhole, type PolicyDraft, type StepDraft, withStep } from "./draft.ts"
import { PolicySentences } from "./PolicySentences.tsx"
import type { Directory } from "./queries.ts"
import { StepFields } from "./StepFields.tsx"
import { useCreatePolicy, useUpdatePolicy } from "./writes.ts"

const names = ["name", "repeat", "repeatAfterMinutes", "acknowledgeTimeoutMinutes", "onExhausted"]
/** The owners of the organization, instead of a channel. */
const owners = "-"

/** The error of a step, by its position. */
const stepErrors = (error: unknown): ReadonlyArray<string | undefined> => {
  const found: Array<string | undefined> = []
  if (error instanceof ApiError)
    for (const { message, path } of error.fields) {
      const place = /^steps\[(\d{1,3})\]/.exec(path.slice(0, 100))?.[1]
      if (place !== undefined) found[Number(place)] ??= message
    }
  return found
}

const sorting = {
  errorsOf: (error: unknown) => ({ form: formErrors(error, [...names, "steps"]), steps: stepErrors(error) }),
  none: { form: noErrors, steps: [] }
}

export const PolicyForm = ({
  directory: known,
  organizationId,
  policy
}: {
  readonly organizationId: string
  readonly directory: Directory
  readonly policy?: Policy
}) => {
  const { mutateAsync: create } = useCreatePolicy(organizationId)
  const { mutateAsync: update } = useUpdatePolicy(organizationId)
  const navigate = useNavigate()
  // As it was when the form was opened: a choice that comes or goes would move what is about to be pressed.
  const [directory] = useState(known)
  const {
    change,
    conflict,
    errors: { form: errors, steps },
    fields: draft,
    isBusy,
    isChanged,
    save
  } = useDraft<PolicyDraft, ReturnType<typeof sorting.errorsOf>, Policy>(
    (known) => (known === undefined ? fresh : draftOf(known)),
    sorting,
    bodyOf,
    { record: policy, query: policiesQuery(organizationId) }
  )
  const changeStep = (step: StepDraft) =>
    change({ steps: draft.steps.map((each) => (each.key === step.key ? step : each)) })
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const body = bodyOf(draft)
    void save(
      () => (policy === undefined ? create(body) : update({ policyId: policy.id, body })),
      ({ id }) => navigate({ to: "/on-call/policies/$id", params: { id } })
    )
  }

  return (
    <>
      <Form onSubmit={send} validationBehavior="aria" className="flex flex-col gap-5">
        <TextField
          label={t("Name")}
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errors.fields["name"]}
          isRequired
          autoComplete="off"
        />
        {draft.steps.map((step, index) => (
          <section
            key={step.key}
            aria-label={t("Step {number}", { number: index + 1 })}
            className="flex min-w-0 flex-col gap-3 border-t border-line pt-5"
          >
            <div className="flex min-h-9 items-center justify-between gap-2">
              <h2>{t("Step {number}", { number: index + 1 })}</h2>
              {draft.steps.length > 1 && (
                <IconButton
                  aria-label={t("Remove step {number}", { number: index + 1 })}
                  onPress={() => change({ steps: draft.steps.filter(({ key }) => key !== step.key) })}
                >
                  <Icon name="trash" />
                </IconButton>
              )}
            </div>
            <StepFields
              step={step}
              number={index + 1}
              directory={directory}
              onChange={changeStep}
              error={steps[index]}
            />
          </section>
        ))}
        <div>
          <Button onPress={() => change({ steps: withStep(draft.steps) })} isDisabled={draft.steps.length >= 20}>
            <Icon name="plus" />
            {t("Add a step")}
          </Button>
        </div>
        <section className="flex min-w-0 flex-col gap-4 border-t border-line pt-5" aria-label={t("If no one answers")}>
          <h2>{t("If no one answers")}</h2>
          <div className="grid min-w-0 items-start gap-4 sm:grid-cols-2">
            <NumberField
              label={t("Further rounds")}
              value={draft.repeat}
              onChange={(repeat) => change({ repeat: Number.isNaN(repeat) ? 0 : repeat })}
              minValue={0}
              maxValue={9}
              error={errors.fields["repeat"]}
            />
            <NumberField
              label={t("Minutes after the last step")}
              value={draft.repeatAfterMinutes}
              onChange={(minutes) => change({ repeatAfterMinutes: Number.isNaN(minutes) ? 10 : minutes })}
              minValue={1}
              maxValue={1440}
              error={errors.fields["repeatAfterMinutes"]}
            />
          </div>
          <Select
            label={t("In the end, tell")}
            value={draft.onExhausted?.channelId ?? owners}
            onChange={(id) => change({ onExhausted: id === owners ? null : { channelId: id as never } })}
            options={[
              { id: owners, label: t("The owners of the organization") },
              ...directory.channels.map(({ id, name }) => ({
                id,
                label: t("Channel {channel}", { channel: name })
              }))
            ]}
            error={errors.fields["onExhausted"]}
          />
          <div className="flex min-w-0 flex-col gap-2">
            <Switch
              isSelected={draft.acknowledgeTimeoutMinutes !== null}
              onChange={(isOn) => change({ acknowledgeTimeoutMinutes: isOn ? 60 : null })}
            >
              {t("An acknowledgement ends after some time")}
            </Switch>
            {draft.acknowledgeTimeoutMinutes !== null && (
              <NumberField
                label={t("Minutes from the acknowledgement")}
                value={draft.acknowledgeTimeoutMinutes}
                onChange={(minutes) => change({ acknowledgeTimeoutMinutes: Number.isNaN(minutes) ? 60 : minutes })}
                minValue={1}
                maxValue={10_080}
                error={errors.fields["acknowledgeTimeoutMinutes"]}
              />
            )}
          </div>
        </section>
        {draft.steps.some(({ notify }) => notify.length > 0) && (
          <section className="flex min-w-0 flex-col gap-2 border-t border-line pt-5" aria-label={t("In words")}>
            <h2>{t("In words")}</h2>
            <PolicySentences plan={bodyOf(draft)} directory={directory} label={t("In words")} />
          </section>
        )}
        <ConflictNotice of={conflict} />
        <FormProblem errors={errors} />
        {errors.fields["steps"] !== undefined && steps.every((each) => each === undefined) && (
          <p className="text-small font-medium text-down">{errors.fields["steps"]}</p>
        )}
        <div>
          <Button kind="primary" type="submit" isDisabled={isBusy || !isWhole(draft)}>
            {policy === undefined ? t("Create the policy") : t("Save")}
          </Button>
        </div>
      </Form>
      <LeaveGuard isChanged={isChanged} />
    </>
  )
}
