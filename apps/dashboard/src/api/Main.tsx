/** The content of a page. It is marked as busy until everything that it first asks for has been answered. */
import type { ComponentProps } from "react"
import { useIsAwaited } from "./useIsAwaited.ts"

export const Main = ({ isLoading = false, ...props }: ComponentProps<"main"> & { readonly isLoading?: boolean }) => {
  const isAwaited = useIsAwaited()
  return <main {...props} aria-busy={isAwaited || isLoading} />
}
