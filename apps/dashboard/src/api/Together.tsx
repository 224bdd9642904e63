/** Parts of a page that load by themselves, shown together: what appears later above a button moves it from under the finger. */
import { type ReactNode, useState } from "react"
import { useIsAwaited } from "./useIsAwaited.ts"

/** Shows its children once everything that they first ask for has been answered; from then on they stay. */
export const Together = ({ children }: { readonly children: ReactNode }) => {
  const isAwaited = useIsAwaited()
  const [isShown, setShown] = useState(false)
  if (!isAwaited && !isShown) setShown(true)
  return <div className={isShown ? "contents" : "invisible contents"}>{children}</div>
}
