/**
 * The parts of a page, which load by themselves. Each appears with the first answers that it waits for, and after those
 * above it: how high a list will be is not known before its answer, and nothing that is shown may move.
 */
import { useIsFetching } from "@tanstack/react-query"
import { type ReactNode, Suspense } from "react"
import { isAwaited } from "./useFirst.ts"

export const Parts = ({ children }: { readonly children: ReactNode }) => {
  // Each answer renders what waits at once; React by itself would show one part in 300 ms.
  useIsFetching({ predicate: isAwaited })
  // A part that is left out keeps its place, so that the others stay the same.
  const [first, ...rest] = Array.isArray(children) ? (children as ReadonlyArray<ReactNode>) : [children]
  return (
    <Suspense fallback={<div aria-hidden className="skeleton h-24 rounded-xl bg-ink/5" />}>
      {first}
      {rest.length > 0 && <Parts>{rest}</Parts>}
    </Suspense>
  )
}
