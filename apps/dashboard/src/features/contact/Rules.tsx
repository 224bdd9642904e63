/** Which contact methods are used when, each severity as a sentence, and whether that reaches the visitor. */
import { useState } from "react"
import { useFirst, useFirsts } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { nextKey } from "../../forms/nextKey.ts"
import { listWords } from "../../locales/lists.ts"
import { severities, type Severity, severityWord } from "../../locales/severities.ts"
import { t } from "../../locales/text.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { emphasized } from "../../ui/Emphasis.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { NumberField } from "../../ui/NumberField.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { unused, withList } from "./lists.ts"
import { type Entry, type Method, methodsQuery, notificationRulesQuery, type Rules } from "./queries.ts"
import { useReplaceNotificationRules } from "./writes.ts"
import { detailOf, methodName, passedOver, sentenceOf } from "./words.ts"

/** An entry of a form, with an identity of its own. */
interface Row extends Entry {
  readonly key: number
}

/** The longest wait after a page. */
const latest = 1440

const RulesForm = ({
  methods,
  onClose,
  onSaved,
  rules,
  severity
}: {
  readonly severity: Severity
  readonly rules: Rules
  readonly methods: ReadonlyArray<Method>
  readonly onClose: () => void
  readonly onSaved: () => void
}) => {
  const [rows, setRows] = useState<ReadonlyArray<Row>>(() => rules[severity].map((entry, key) => ({ ...entry, key })))
  const { mutateAsync: replace } = useReplaceNotificationRules()
  const { errors, isBusy, submit } = useSubmit(severities)
  const change = (key: number, part: Partial<Entry>) =>
    setRows((known) => known.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const add = () =>
    setRows((known) => {
      const used = new Set(known.map(({ contactMethodId }) => contactMethodId))
      const method = methods.find(({ id }) => !used.has(id)) ?? methods[0]
      const last = known.at(-1)
      return method === undefined
        ? known
        : [
            ...known,
            {
              key: nextKey(known),
              afterMinutes: last === undefined ? 0 : Math.min(latest, last.afterMinutes + 5),
              contactMethodId: method.id
            }
          ]
    })
  const entries = rows
    .map(({ afterMinutes, contactMethodId }): Entry => ({ afterMinutes, contactMethodId }))
    .toSorted((one, other) => one.afterMinutes - other.afterMinutes)
  const save = () =>
    submit(async () => {
      await replace(withList(rules, severity, entries, methods))
      onSaved()
    })
  return (
    <DialogForm action={t("Save")} errors={errors} isBusy={isBusy} onClose={onClose} onSend={save}>
      <p className="text-sm text-soft" aria-live="polite">
        {emphasized(sentenceOf(entries, methods))}
      </p>
      <ul className="flex flex-col gap-4" aria-label={severityWord(severity)}>
        {rows.map(({ afterMinutes, contactMethodId, key }, index) => (
          <li key={key} className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-end gap-2">
            <NumberField
              label={t("After minutes")}
              value={afterMinutes}
              onChange={(minutes) => change(key, { afterMinutes: Number.isNaN(minutes) ? 0 : minutes })}
              minValue={0}
              maxValue={latest}
              autoFocus={index === rows.length - 1 && index >= rules[severity].length}
            />
            <Select
              label={t("By|means")}
              value={contactMethodId}
              onChange={(id) => change(key, { contactMethodId: id })}
              options={methods.map((method) => ({
                id: method.id,
                label: methodName(method),
                help: detailOf(method).join(" · ")
              }))}
            />
            <IconButton
              aria-label={t("Remove entry {number}", { number: index + 1 })}
              onPress={() => setRows((known) => known.filter((row) => row.key !== key))}
            >
              <Icon name="close" />
            </IconButton>
          </li>
        ))}
      </ul>
      {errors.fields[severity] !== undefined && (
        <p className="text-small font-medium text-down">{errors.fields[severity]}</p>
      )}
      <div>
        <Button onPress={add} isDisabled={rows.length >= 20}>
          <Icon name="plus" />
          {rows.length === 0 ? t("Add a method") : t("Then also")}
        </Button>
      </div>
    </DialogForm>
  )
}

/** Whether critical alerts reach the visitor; quiet when they do. */
export const Reachable = () => {
  useFirsts(notificationRulesQuery, methodsQuery)
  const { data } = useFirst(notificationRulesQuery)
  const { data: methods = [] } = useFirst(methodsQuery)
  if (data === undefined) return null
  const idle = unused(data, methods)
  if (idle.length > 0)
    return (
      <Notice tone={data.reachable === "no" ? "down" : "degraded"}>
        {idle.map((method) => (
          <p key={method.id}>
            {t(
              "{name} is confirmed, but no rule for critical alerts uses it. Add it to Critical under “When you are paged”.",
              { name: methodName(method) }
            )}
          </p>
        ))}
      </Notice>
    )
  if (data.reachable === "no")
    return <Notice>{t("Critical alerts do not reach you: no method for them is confirmed.")}</Notice>
  if (data.reachable === "emailOnly")
    return (
      <Notice tone="degraded">
        {t("Critical alerts reach you by email alone, which wakes no one. Add a phone, a messenger or a push service.")}
      </Notice>
    )
  return <Notice tone="up">{t("Critical alerts reach you.")}</Notice>
}

export const NotificationRules = () => {
  useFirsts(notificationRulesQuery, methodsQuery)
  const { data: rules, error } = useFirst(notificationRulesQuery)
  const { data: methods } = useFirst(methodsQuery)
  const [edited, setEdited] = useState<Severity | undefined>(undefined)
  const close = () => setEdited(undefined)
  return (
    <Section title={t("When you are paged")}>
      {error !== null && rules === undefined && <Notice>{error.message}</Notice>}
      {rules !== undefined && methods !== undefined && (
        <ul aria-label={t("When you are paged")} className="-my-1 divide-y divide-line">
          {severities.map((severity) => {
            const skipped = passedOver(rules[severity], methods)
            return (
              <li key={severity} className="flex items-start gap-3 py-3">
                <div className="grid min-w-0 flex-1 gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
                  <h3 className="text-sm font-medium">{severityWord(severity)}</h3>
                  <div className="min-w-0">
                    <p className="break-words text-soft">{emphasized(sentenceOf(rules[severity], methods))}</p>
                    {skipped.length > 0 && (
                      <p className="text-small font-medium text-degraded">
                        {t("Passed over until confirmed: {names}.", { names: listWords(skipped) })}
                      </p>
                    )}
                  </div>
                </div>
                <IconButton
                  className="-my-2"
                  aria-label={t("Change the rules for {severity}", { severity: severityWord(severity) })}
                  onPress={() => setEdited(severity)}
                >
                  <Icon name="edit" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
      <p className="text-small text-soft">
        {t("Minutes count from the page, until you or somebody else acknowledges the alert.")}
      </p>
      <Dialog
        title={edited === undefined ? "" : t("{severity} alerts", { severity: severityWord(edited) })}
        isOpen={edited !== undefined}
        onOpenChange={close}
      >
        {edited !== undefined && rules !== undefined && methods !== undefined && (
          <RulesForm severity={edited} rules={rules} methods={methods} onClose={close} onSaved={close} />
        )}
      </Dialog>
    </Section>
  )
}
