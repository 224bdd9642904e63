/** A list of a monitor's past, newest first: page after page, by the rule of `held.ts`. */
import type { UseInfiniteQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { HeldList } from "../../ui/HeldList.tsx"

type Pages<A> = Pick<
  UseInfiniteQueryResult<{ readonly pages: ReadonlyArray<{ readonly items: ReadonlyArray<A> }> }>,
  "data" | "error" | "fetchNextPage" | "hasNextPage" | "isFetchingNextPage"
>

/** Asks for the next page. */
export const Older = ({
  query: { fetchNextPage, hasNextPage, isFetchingNextPage }
}: {
  readonly query: Pick<Pages<unknown>, "fetchNextPage" | "hasNextPage" | "isFetchingNextPage">
}) =>
  hasNextPage && (
    <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage} className="self-start">
      {t("Older")}
    </Button>
  )

export const PagedList = <A,>({
  filter = "",
  query,
  ...list
}: {
  readonly query: Pages<A>
  /** The choice of the reader. */
  readonly filter?: string
  readonly keyOf: (item: A) => string
  /** Names the list for screen readers. */
  readonly label: string
  readonly children: (item: A) => ReactNode
  readonly empty: ReactNode
  readonly rowClass?: string
}) => (
  <>
    <HeldList
      {...list}
      items={query.data?.pages.flatMap(({ items }) => items)}
      error={query.error}
      reset={`${filter} ${query.data?.pages.length ?? 0}`}
      className="flex flex-col divide-y divide-line"
    />
    <Older query={query} />
  </>
)
