/** The form that creates or changes an alert rule; its sentence follows what is chosen. */
import { useNavigate } from "@tanstack/react-router"
import { type SyntheticEvent, useMemo } from "react"
import { Form } from "react-aria-components"
import { byField, noErrors } from "../../api/problem.ts"
import { rulesQuery, useCreateRule, useUpdateRule } from "../../api/rules.ts"
import { useDraft } from "../../api/useDraft.ts"
import { ConflictNotice } from "../../forms/ConflictNotice.tsx"
import { LeaveGuard } from "../../forms/LeaveGuard.tsx"
import { nameOfMonitor } from "../../live/names.ts"
import { useProjectData } from "../../live/ProjectData.tsx"
import { severities, type Severity, severityWord } from "../../locales/severities.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox, Segments, Select } from "../../ui/Choice.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormProblem } from "../../ui/FormProblem.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { PickList } from "../../ui/PickList.tsx"
import type { ChannelName, PolicyName, Rule } from "./queries.ts"
import { conditionOf, countsFailures, type Draft, isExternal, Sentence, triggers } from "./sentence.tsx"
import { defaultSeverity } from "./defaultSeverity.ts"

/** The id of no policy. */
const noPolicy = "-"

/** Of a rule that names none: it is chosen by the conditions. */
const usual = "usual"

const fresh: Draft & { readonly name: string; readonly severity: Severity | null } = {
  name: "",
  monitorIds: [],
  tags: [],
  channelIds: [],
  triggers: ["monitor_down"],
  consecutiveFailures: 2,
  resendEvery: 0,
  escalationPolicyId: null,
  severity: null
}

const draftOf = ({
  channelIds,
  consecutiveFailures,
  escalationPolicyId,
  monitorIds,
  name,
  resendEvery,
  severity,
  tags,
  triggers
}: Rule) => ({
  channelIds,
  consecutiveFailures,
  escalationPolicyId,
  monitorIds,
  name,
  resendEvery,
  severity,
  tags,
  triggers
})

/** A rule, whether it is for alerts of integrations, and whether it is about all monitors and channels. */
type Fields = typeof fresh & { readonly about: string; readonly which: string; readonly where: string }

const fieldsOf = (rule: typeof fresh): Fields => ({
  ...rule,
  about: isExternal(rule) ? "integrations" : "monitors",
  triggers: isExternal(rule) ? fresh.triggers : rule.triggers,
  which: rule.monitorIds.length + rule.tags.length === 0 ? "all" : "some",
  where: rule.channelIds.length === 0 ? "all" : "some"
})

/** The body of the request: "all" leaves out what was chosen before. A new rule without a severity leaves it to the server. */
const sent = ({ about, severity, where, which, ...rest }: Fields) => ({
  ...rest,
  ...(severity === null ? {} : { severity }),
  ...(which === "all" || about === "integrations" ? { monitorIds: [], tags: [] } : {}),
  ...(about === "integrations" ? { triggers: ["external" as const] } : {}),
  ...(where === "all" ? { channelIds: [] } : {})
})

const group = "flex min-w-0 flex-col gap-2 border-t border-line pt-5"

export const RuleForm = ({
  channels,
  policies,
  rule
}: {
  readonly rule?: Rule
  readonly channels: ReadonlyArray<ChannelName>
  readonly policies: ReadonlyArray<PolicyName>
}) => {
  const data = useProjectData()
  const { project, store } = data
  const { mutateAsync: create } = useCreateRule(project)
  const { mutateAsync: update } = useUpdateRule(project)
  const navigate = useNavigate()
  const form = useDraft(
    (known: Rule | undefined) => fieldsOf(known === undefined ? fresh : draftOf(known)),
    byField(Object.keys(fresh)),
    sent,
    { record: rule, query: rulesQuery(project) }
  )
  const { conflict, errors, fields: draft, isBusy, setErrors } = form
  const { about, where, which } = draft
  const monitors = useMemo(
    () => [...store.monitors.values()].map(({ id, name }) => ({ id, label: name })),
    [store.monitors]
  )
  const tags = useMemo(
    () =>
      [...new Set([...draft.tags, ...[...store.monitors.values()].flatMap((monitor) => monitor.tags)])]
        .sort()
        .map((id) => ({ id, label: id })),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the tags that were chosen first stay in the list
    [store.monitors]
  )
  const change = (part: Partial<Fields>) => {
    form.change(part)
    setErrors(noErrors)
  }
  const body = sent(draft)

  const save = async () => {
    const wrong = {
      ...(about === "monitors" && which === "some" && body.monitorIds.length + body.tags.length === 0
        ? { monitorIds: t("Choose at least one monitor or tag.") }
        : {}),
      ...(where === "some" && body.channelIds.length === 0 ? { channelIds: t("Choose at least one channel.") } : {}),
      ...(body.triggers.length === 0 ? { triggers: t("Choose at least one condition.") } : {})
    }
    setErrors({ fields: wrong, general: undefined })
    if (Object.keys(wrong).length > 0) return
    await form.save(
      () => (rule === undefined ? create({ body }) : update({ ruleId: rule.id, body })),
      () => navigate({ to: "/channels" })
    )
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void save()
  }

  return (
    <>
      <Form onSubmit={submit} validationBehavior="aria" className="flex flex-col gap-5">
        <p className="rounded-xl border border-line bg-surface px-4 py-3 text-soft" aria-live="polite">
          <Sentence
            rule={body}
            channels={channels}
            policies={policies}
            monitorName={(id) => nameOfMonitor(data, id, t("a deleted monitor"))}
          />
        </p>
        <TextField
          label={t("Name")}
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errors.fields["name"]}
          isRequired
          autoComplete="off"
        />
        <div>
          <Segments
            label={t("Alerts of")}
            value={about}
            onChange={(about) => change({ about })}
            options={[
              { id: "monitors", label: t("Monitors") },
              { id: "integrations", label: t("Integrations") }
            ]}
          />
        </div>
        {about === "monitors" && (
          <section className={group}>
            <h2>{t("Which monitors")}</h2>
            <div>
              <Segments
                label={t("Which monitors")}
                value={which}
                onChange={(which) => form.change({ which })}
                options={[
                  { id: "all", label: t("All monitors") },
                  { id: "some", label: t("Chosen ones") }
                ]}
              />
            </div>
            {which === "some" && (
              <>
                <PickList
                  label={t("Monitors")}
                  options={monitors}
                  value={draft.monitorIds}
                  onChange={(monitorIds) => change({ monitorIds })}
                  error={errors.fields["monitorIds"]}
                />
                {tags.length > 0 && (
                  <>
                    <h3 className="text-sm">{t("And every monitor with one of these tags")}</h3>
                    <PickList
                      label={t("Tags")}
                      options={tags}
                      value={draft.tags}
                      onChange={(tags) => change({ tags })}
                      error={errors.fields["tags"]}
                    />
                  </>
                )}
              </>
            )}
          </section>
        )}
        <section className={group}>
          <h2>{about === "monitors" ? t("On which condition") : t("How urgent")}</h2>
          {about === "integrations" && (
            <p className="text-sm text-soft">{t("The severity that a sender states comes first.")}</p>
          )}
          {about === "monitors" && (
            <fieldset>
              <legend className="sr-only">{t("A monitor …")}</legend>
              {triggers.map((trigger) => (
                <Checkbox
                  key={trigger}
                  isSelected={draft.triggers.includes(trigger)}
                  onChange={(isOn) =>
                    change({
                      triggers: triggers.filter((each) => (each === trigger ? isOn : draft.triggers.includes(each)))
                    })
                  }
                >
                  {conditionOf(trigger)}
                </Checkbox>
              ))}
            </fieldset>
          )}
          {errors.fields["triggers"] !== undefined && (
            <p className="text-small font-medium text-down">{errors.fields["triggers"]}</p>
          )}
          {about === "monitors" && countsFailures(draft) && (
            <NumberField
              label={t("Failed checks in a row before the alert opens")}
              value={draft.consecutiveFailures}
              onChange={(consecutiveFailures) => change({ consecutiveFailures })}
              minValue={1}
              maxValue={100}
              error={errors.fields["consecutiveFailures"]}
            />
          )}
          <Select
            label={t("Severity")}
            help={t("It decides how loudly channels that have priorities tell of the alert.")}
            value={draft.severity ?? usual}
            onChange={(id) => change({ severity: severities.find((each) => each === id) ?? null })}
            options={[
              ...severities.map((id) => ({ id, label: severityWord(id) })),
              ...(rule === undefined
                ? [
                    {
                      id: usual,
                      label: t("By condition: {severity}", {
                        severity: severityWord(defaultSeverity(body.triggers))
                      })
                    }
                  ]
                : [])
            ]}
            error={errors.fields["severity"]}
          />
        </section>
        <section className={group}>
          <h2>{t("Notify")}</h2>
          {policies.length > 0 && (
            <Select
              label={t("Escalation policy")}
              help={t("It tells people, one after the other, until somebody answers.")}
              value={draft.escalationPolicyId ?? noPolicy}
              onChange={(id) => change({ escalationPolicyId: policies.find((each) => each.id === id)?.id ?? null })}
              options={[
                { id: noPolicy, label: t("None") },
                ...policies.map(({ id, name }) => ({ id: id as string, label: name }))
              ]}
              error={errors.fields["escalationPolicyId"]}
            />
          )}
          <div>
            <Segments
              label={t("Notify")}
              value={where}
              onChange={(where) => form.change({ where })}
              options={[
                { id: "all", label: draft.escalationPolicyId === null ? t("Every channel") : t("No channel") },
                { id: "some", label: t("Chosen ones") }
              ]}
            />
          </div>
          {where === "some" && (
            <PickList
              label={t("Channels")}
              options={channels.map(({ id, name }) => ({ id, label: name }))}
              value={draft.channelIds}
              onChange={(channelIds) => change({ channelIds })}
              error={errors.fields["channelIds"]}
            />
          )}
          <NumberField
            label={t("Reminder while the alert is open")}
            help={t("0 sends none.")}
            unit={t("minutes")}
            value={draft.resendEvery}
            onChange={(resendEvery) => change({ resendEvery })}
            minValue={0}
            maxValue={10_080}
            error={errors.fields["resendEvery"]}
          />
        </section>
        <ConflictNotice of={conflict} />
        <FormProblem errors={errors} />
        <div>
          <Button kind="primary" type="submit" isDisabled={isBusy || draft.name.trim() === ""}>
            {rule === undefined ? t("Create rule") : t("Save")}
          </Button>
        </div>
      </Form>
      <LeaveGuard isChanged={form.isChanged} />
    </>
  )
}
