/** A list of records, each of which can be deleted: it asks before, and says why a record could not be deleted. */
import { type ReactNode, useState } from "react"
import { t } from "../locales/text.ts"
import { listClass } from "./classes.ts"
import { Confirm } from "./Confirm.tsx"
import { idOf } from "./held.ts"
import { HeldList } from "./HeldList.tsx"
import { Refusal } from "./Toast.tsx"

export const DeletableList = <A extends { readonly id: string }>({
  children,
  consequence,
  dismiss,
  items,
  label,
  question,
  refusal,
  remove,
  rowClass
}: {
  readonly items: ReadonlyArray<A>
  /** Names the list for screen readers. */
  readonly label: string
  readonly rowClass: string
  /** The content of a row, with what asks whether to delete it. */
  readonly children: (item: A, onDelete: () => void) => ReactNode
  /** The title of the dialog. */
  readonly question: string
  /** The text of the dialog. */
  readonly consequence: (item: A | undefined) => string
  readonly remove: (id: string) => void
  /** Why the last record could not be deleted. */
  readonly refusal: string | undefined
  readonly dismiss: () => void
}) => {
  const [doomed, setDoomed] = useState<A | undefined>(undefined)
  return (
    <>
      {refusal !== undefined && <Refusal onClose={dismiss}>{refusal}</Refusal>}
      <HeldList label={label} items={items} keyOf={idOf} className={listClass} rowClass={rowClass}>
        {(item) => children(item, () => setDoomed(item))}
      </HeldList>
      <Confirm
        title={question}
        action={t("Delete")}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => {
          setDoomed(undefined)
          if (doomed !== undefined) remove(doomed.id)
        }}
      >
        <p>{consequence(doomed)}</p>
      </Confirm>
    </>
  )
}
