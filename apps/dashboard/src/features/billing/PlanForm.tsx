/** The form of a plan, for administrators. A change sends only what differs, so that it undoes no other one. */
import { type SyntheticEvent, useState } from "react"
import { Form } from "react-aria-components"
import { type FormErrors, formErrors, noErrors } from "../../api/problem.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Switch } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { unlimited } from "./Plans.tsx"
import type { Plan } from "./queries.ts"
import { useCreatePlan, useUpdatePlan } from "./writes.ts"

const fieldsOf = (plan: Plan | undefined) => ({
  name: plan?.name ?? "",
  monitors: plan?.monitors ?? 50,
  checkInterval: plan?.checkInterval ?? 60,
  regions: plan?.regions ?? null,
  price: plan?.price ?? 0,
  currency: plan?.currency ?? "EUR",
  customDomain: plan?.customDomain ?? false,
  unlimitedTeamMembers: plan?.unlimitedTeamMembers ?? false,
  sso: plan?.sso ?? false
})

type Fields = ReturnType<typeof fieldsOf>

export const PlanForm = ({
  onClose,
  onSaved,
  plan
}: {
  /** The plan that is changed; none for a new one. */
  readonly plan: Plan | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const [before] = useState(() => fieldsOf(plan))
  const [fields, setFields] = useState(before)
  const { mutateAsync: create } = useCreatePlan()
  const { mutateAsync: update } = useUpdatePlan()
  const [errors, setErrors] = useState<FormErrors>(noErrors)
  const [isBusy, setBusy] = useState(false)
  const change = (part: Partial<Fields>) => setFields((known) => ({ ...known, ...part }))
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setErrors(noErrors)
    const wanted: Fields = { ...fields, name: fields.name.trim(), currency: fields.currency.trim().toUpperCase() }
    const changed = Object.entries(wanted).filter(([name, value]) => value !== before[name as keyof Fields])
    try {
      await (plan === undefined ? create(wanted) : update({ planId: plan.id, body: Object.fromEntries(changed) }))
      onSaved()
    } catch (error) {
      setErrors(formErrors(error, Object.keys(wanted)))
      setBusy(false)
    }
  }
  // A limit is never guessed: it may pause monitors of subscribers.
  const limitBefore = before.monitors === unlimited ? Number.NaN : before.monitors
  const isUnlimited = fields.monitors === unlimited
  return (
    <Form onSubmit={(event) => void save(event)} validationBehavior="aria" className="flex flex-col gap-4">
      <TextField
        label={t("Name")}
        value={fields.name}
        onChange={(name) => change({ name })}
        error={errors.fields["name"]}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <Switch isSelected={isUnlimited} onChange={(isOn) => change({ monitors: isOn ? unlimited : limitBefore })}>
        {t("Monitors without a limit")}
      </Switch>
      {!isUnlimited && (
        <NumberField
          label={t("Monitors")}
          help={t("Accounts on the plan that have more get some of them paused")}
          value={fields.monitors}
          onChange={(monitors) => change({ monitors })}
          minValue={1}
          error={errors.fields["monitors"]}
        />
      )}
      <NumberField
        label={t("Shortest interval between checks")}
        unit={t("seconds")}
        value={fields.checkInterval}
        onChange={(checkInterval) => change({ checkInterval })}
        minValue={1}
        error={errors.fields["checkInterval"]}
      />
      <NumberField
        label={t("Regions")}
        help={t("Shown to customers, not enforced")}
        optional
        value={fields.regions ?? Number.NaN}
        onChange={(regions) => change({ regions: Number.isNaN(regions) ? null : regions })}
        minValue={1}
        error={errors.fields["regions"]}
      />
      <div className="grid grid-cols-2 gap-4">
        <NumberField
          label={t("Price a month")}
          value={fields.price}
          onChange={(price) => change({ price })}
          minValue={0}
          error={errors.fields["price"]}
        />
        <TextField
          label={t("Currency")}
          value={fields.currency}
          onChange={(currency) => change({ currency })}
          error={errors.fields["currency"]}
          maxLength={3}
          autoComplete="off"
        />
      </div>
      <div className="flex flex-col">
        <Switch isSelected={fields.customDomain} onChange={(customDomain) => change({ customDomain })}>
          {t("Status pages on your own domain")}
        </Switch>
        <Switch
          isSelected={fields.unlimitedTeamMembers}
          onChange={(unlimitedTeamMembers) => change({ unlimitedTeamMembers })}
        >
          {t("Any number of team members")}
        </Switch>
        <Switch isSelected={fields.sso} onChange={(sso) => change({ sso })}>
          {t("Single sign-on")}
        </Switch>
      </div>
      <FormProblem errors={errors} />
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>{t("Cancel")}</Button>
        <Button kind="primary" type="submit" isDisabled={isBusy || fields.name.trim() === ""}>
          {plan === undefined ? t("Create plan") : t("Save")}
        </Button>
      </div>
    </Form>
  )
}
