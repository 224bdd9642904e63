/** Shows parts of a page together that load separately, so that a late part above a button does not move it. */
import { type ReactNode, useState } from "react"
import { useIsAwaited } from "./useIsAwaited.ts"

/** Shows its children once everything that they first ask for has been answered; from then on they stay. */
export const Together = ({ children }: { readonly children: ReactNode }) => {
  const isAwaited = useIsAwaited()
  const [isShown, setShown] = useState(false)
  if (!isAwaited && !isShown) setShown(true)
  return <div className={isShown ? "contents" : "invisible contents"}>{children}</div>
}
