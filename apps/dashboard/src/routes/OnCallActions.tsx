/** What can be done with a schedule or a policy on its page: it is changed, or deleted after a question. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useSubmit } from "../api/useSubmit.ts"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Icon } from "../ui/Icon.tsx"

export const OnCallActions = ({
  consequence,
  onRemoved,
  record: { id, name },
  remove,
  to
}: {
  readonly record: { readonly id: string; readonly name: string }
  /** The form of the record. */
  readonly to: "/on-call/policies/$id/edit" | "/on-call/schedules/$id/edit"
  /** What else its deletion does. */
  readonly consequence: string
  readonly remove: () => Promise<unknown>
  /** Called on the page of all records, so that the page of this one does not miss it. */
  readonly onRemoved: () => Promise<void>
}) => {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const { errors, isBusy, submit } = useSubmit()
  return (
    <>
      <Button kind="quiet" onPress={() => setAsking(true)}>
        {t("Delete")}
      </Button>
      <RouteLink to={to} params={{ id }} kind="plain">
        <Icon name="edit" />
        {t("Edit")}
      </RouteLink>
      <Confirm
        title={t("Delete {name}?", { name })}
        action={t("Delete")}
        isOpen={isAsking}
        isBusy={isBusy}
        errors={errors}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          void submit(async () => {
            await remove()
            await navigate({ to: "/on-call" })
            await onRemoved()
          })
        }
      >
        <p>{consequence}</p>
      </Confirm>
    </>
  )
}
