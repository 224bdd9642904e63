/** A list that comes in pages, newest first: page after page, by the rule of `held.ts`. */
import type { ReactNode } from "react"
import { t } from "../locales/text.ts"
import { Button } from "./Button.tsx"
import { HeldList } from "./HeldList.tsx"

/** The state of a query whose answers are pages. */
interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => unknown
}

/** Asks for the next page. */
export const More = ({
  children = t("Show more"),
  query: { fetchNextPage, hasNextPage, isFetchingNextPage }
}: {
  readonly query: Pages
  readonly children?: ReactNode
}) =>
  hasNextPage && (
    <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage} className="self-center">
      {children}
    </Button>
  )

export const PagedList = <A,>({
  className = "flex flex-col divide-y divide-line",
  filter = "",
  more,
  query,
  ...list
}: {
  readonly query: Pages & {
    readonly data: { readonly pages: ReadonlyArray<{ readonly items: ReadonlyArray<A> }> } | undefined
    readonly error: Error | null
  }
  /** The choice of the reader. */
  readonly filter?: string
  readonly keyOf: (item: A) => string
  /** Names the list for screen readers. */
  readonly label: string
  readonly children: (item: A) => ReactNode
  readonly empty: ReactNode
  readonly className?: string
  readonly rowClass?: string
  /** The words of the button for the next page. */
  readonly more?: string
}) => (
  <>
    <HeldList
      {...list}
      items={query.data?.pages.flatMap(({ items }) => items)}
      error={query.error}
      reset={`${filter} ${query.data?.pages.length ?? 0}`}
      className={className}
    />
    <More query={query}>{more}</More>
  </>
)
