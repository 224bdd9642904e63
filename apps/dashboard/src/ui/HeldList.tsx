/** A list of rows with controls, which follows the rule of `held.ts`. */
import type { ReactNode } from "react"
import { classes } from "./classes.ts"
import { goneClass, useHeldBy } from "./held.ts"
import { Notice } from "./Notice.tsx"
import { Waiting } from "./Waiting.tsx"

const none: ReadonlyArray<never> = []

export const HeldList = <A,>({
  children,
  className = "-my-1 divide-y divide-line",
  empty,
  error,
  items,
  keyOf,
  label,
  reset = "",
  rowClass
}: {
  /** Undefined while it is loaded. */
  readonly items: ReadonlyArray<A> | undefined
  readonly keyOf: (item: A) => string
  /** Names the list for screen readers. */
  readonly label: string
  /** The content of a row. */
  readonly children: (item: A) => ReactNode
  readonly className?: string
  readonly rowClass?: string
  /** Why it cannot be loaded; left out while there is something to show, which a message would move. */
  readonly error?: Error | null
  /** The placeholder of an empty list. */
  readonly empty?: ReactNode
  /** The reader's present request, such as filters and pages. Another one shows the list unheld. */
  readonly reset?: string
}) => {
  const held = useHeldBy(items ?? none, keyOf, { reset: items === undefined ? "loading" : `loaded ${reset}` })
  if (items === undefined) return error == null ? null : <Notice>{error.message}</Notice>
  return (
    <>
      <Waiting held={held} />
      {held.rows.length === 0 ? (
        empty
      ) : (
        <ul aria-label={label} className={className}>
          {held.rows.map((item) => (
            <li key={keyOf(item)} className={classes(rowClass, held.isGone(item) && goneClass)}>
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
