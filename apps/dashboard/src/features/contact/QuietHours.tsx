/** The quiet hours of the visitor: when pages that are not urgent wait. */
import { useState } from "react"
import { useFirst } from "../../api/Parts.tsx"
import { useSubmit } from "../../api/useSubmit.ts"
import { type QuietHours as Hours, quietDraftOf, quietHoursOf } from "../../forms/quietHours.ts"
import { QuietHoursFields } from "../../forms/QuietHoursFields.tsx"
import { quietWords } from "../../forms/quietWords.ts"
import { t } from "../../locales/text.ts"
import { ownZone } from "../../locales/time.ts"
import { Button } from "../../ui/Button.tsx"
import { DialogForm } from "../../ui/DialogForm.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Section } from "../../ui/Section.tsx"
import { quietHoursQuery } from "./queries.ts"
import { useReplaceQuietHours } from "./writes.ts"

const names = ["quietHours.*", "quietHours"]

const QuietHoursForm = ({ hours, onClose }: { readonly hours: Hours | null; readonly onClose: () => void }) => {
  const [draft, setDraft] = useState(() => quietDraftOf(hours, ownZone()))
  const { mutateAsync: replace } = useReplaceQuietHours()
  const { errors, isBusy, submit } = useSubmit(names)
  const save = async () => {
    const isSaved = await submit(() => replace({ quietHours: quietHoursOf(draft) }))
    if (isSaved) onClose()
  }
  return (
    <DialogForm action={t("Save")} errors={errors} isBusy={isBusy} onClose={onClose} onSend={save}>
      <QuietHoursFields value={draft} onChange={setDraft} errors={errors.fields} />
    </DialogForm>
  )
}

export const QuietHours = () => {
  const { data, error } = useFirst(quietHoursQuery)
  const [isOpen, setOpen] = useState(false)
  const hours = data?.quietHours
  return (
    <Section
      title={t("Quiet hours")}
      actions={
        <Button onPress={() => setOpen(true)} isDisabled={data === undefined}>
          {t("Change the quiet hours")}
        </Button>
      }
    >
      {error !== null && data === undefined && <Notice>{error.message}</Notice>}
      {hours !== undefined && (
        <p className="text-sm break-words text-soft">
          {hours === null ? t("None: every page is sent at once.") : quietWords(hours)}
        </p>
      )}
      {hours != null && (
        <p className="text-small text-soft">
          {t("Pages that wait arrive as one message at the end of the hours, without alerts that are over by then.")}
        </p>
      )}
      <Dialog title={t("Quiet hours")} isOpen={isOpen} onOpenChange={setOpen}>
        {hours !== undefined && <QuietHoursForm hours={hours} onClose={() => setOpen(false)} />}
      </Dialog>
    </Section>
  )
}
