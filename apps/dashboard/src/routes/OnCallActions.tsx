/** What can be done with a schedule or a policy on its page: it is changed, or deleted after a question. */
import { useState } from "react"
import { useSubmit } from "../api/useSubmit.ts"
import { t } from "../locales/text.ts"
import { Button, RouteLink } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Icon } from "../ui/Icon.tsx"

export const OnCallActions = ({
  consequence,
  record: { id, name },
  remove,
  to
}: {
  readonly record: { readonly id: string; readonly name: string }
  /** The form of the record. */
  readonly to: "/on-call/policies/$id/edit" | "/on-call/schedules/$id/edit"
  /** What else its deletion does. */
  readonly consequence: string
  /** Leads to the page of all records. */
  readonly remove: () => Promise<unknown>
}) => {
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
        onConfirm={() => void submit(remove)}
      >
        <p>{consequence}</p>
      </Confirm>
    </>
  )
}
