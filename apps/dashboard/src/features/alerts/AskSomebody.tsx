/** Pages a person, a team, or who is on call in a schedule, about an alert. */
import { useState } from "react"
import { useSubmit } from "../../api/useSubmit.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { Select } from "../../ui/Choice.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Outcome } from "../../ui/Toast.tsx"
import { useAskable } from "./escalation.ts"
import type { AlertRecord } from "./queries.ts"
import { usePageAbout } from "./writes.ts"

const AskForm = ({
  alert,
  onAsked,
  onClose
}: {
  readonly alert: AlertRecord
  readonly onClose: () => void
  readonly onAsked: (paged: number, unreachable: number) => void
}) => {
  const { mutateAsync: page } = usePageAbout(alert.id)
  const askable = useAskable()
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [note, setNote] = useState("")
  const { errors, isBusy, submit } = useSubmit(["userId", "teamId", "scheduleId", "note"])
  if (askable === undefined) return null
  const target = chosen ?? askable[0]?.id ?? ""
  const ask = () =>
    submit(async () => {
      const [kind, id = ""] = target.split(" ", 2)
      const whom = kind === "user" ? { userId: id } : kind === "team" ? { teamId: id } : { scheduleId: id }
      const { unreachable, userIds } = await page({
        ...whom,
        ...(note.trim() === "" ? {} : { note: note.trim() })
      })
      onAsked(userIds.length, unreachable.length)
    })
  return (
    <DialogForm
      action={t("Page them")}
      errors={errors}
      isBusy={isBusy}
      isReady={target !== ""}
      onClose={onClose}
      onSend={ask}
    >
      <Select
        label={t("Whom")}
        value={target}
        onChange={setChosen}
        options={askable}
        error={errors.fields["userId"] ?? errors.fields["teamId"] ?? errors.fields["scheduleId"]}
      />
      <TextField
        label={t("Note")}
        optional
        value={note}
        onChange={setNote}
        maxLength={2000}
        error={errors.fields["note"]}
        help={t("They are told by their own notification rules until they answer.")}
      />
    </DialogForm>
  )
}

export const AskSomebody = ({ alert }: { readonly alert: AlertRecord }) => {
  const [isOpen, setOpen] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly tone: "up" | "degraded"; readonly text: string } | undefined>(
    undefined
  )
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Icon name="plus" />
        {t("Add somebody")}
      </Button>
      <Dialog title={t("Add somebody")} isOpen={isOpen} onOpenChange={setOpen}>
        {isOpen && (
          <AskForm
            alert={alert}
            onClose={() => setOpen(false)}
            onAsked={(paged, unreachable) => {
              setOpen(false)
              const told = t("{count, plural, one {# person is paged.} other {# people are paged.}}", { count: paged })
              setOutcome(
                unreachable === 0
                  ? { tone: "up", text: told }
                  : {
                      tone: "degraded",
                      text: `${told} ${t("{count, plural, one {# person cannot be reached.} other {# people cannot be reached.}}", { count: unreachable })}`
                    }
              )
            }}
          />
        )}
      </Dialog>
      {outcome !== undefined && (
        <Outcome tone={outcome.tone} onClose={() => setOutcome(undefined)}>
          {outcome.text}
        </Outcome>
      )}
    </>
  )
}
