/** Pagination of lists: reads `?limit=` and `?cursor=`, writes the `Link` header (RFC 8288). */
import { Problem } from "@kanmon/protocol/Problem"
import * as Cursor from "../database/Cursor.ts"
import type { Page, PageOptions } from "../database/Page.ts"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathOf } from "./RequestInfo.ts"

const pageSize = 1000

/** Rejects unknown cursors, which would silently restart the list. */
export const read = (query: {
  readonly limit?: number
  readonly cursor?: string
}): Effect.Effect<PageOptions, Problem<"malformed_request">> => {
  const { cursor, limit = pageSize } = query
  if (cursor === undefined || Cursor.decode(cursor) !== undefined) return Effect.succeed({ cursor, limit })
  const message = "Expected the cursor of a Link header"
  return Effect.fail(
    new Problem({ code: "malformed_request", detail: `cursor: ${message}`, errors: [{ path: "cursor", message }] })
  )
}

/** The page of a list that may be sorted. */
export interface SortedOptions extends PageOptions {
  /** Where the page before ended, in a sorted list. */
  readonly after: Cursor.Position | undefined
}

/** As `read`, for a list that may be sorted. A cursor of another sort is refused: it has no place in this one. */
export const readSorted = (query: {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: string
}): Effect.Effect<SortedOptions, Problem<"malformed_request" | "validation_failed">> => {
  const { cursor, limit = pageSize, sort } = query
  const after = cursor === undefined ? undefined : Cursor.decodeSorted(cursor)
  if (cursor === undefined || (after !== undefined && after.sort === sort))
    return Effect.succeed({ cursor: undefined, limit, after })
  const plain = Cursor.decode(cursor) !== undefined
  if (plain && sort === undefined) return Effect.succeed({ cursor, limit, after: undefined })
  if (!plain && after === undefined) return Effect.map(read(query), (options) => ({ ...options, after }))
  const own = after === undefined ? "no sort" : `sort=${after.sort}`
  const message = `Expected a cursor of this sort; this one belongs to a list with ${own}`
  return Effect.fail(
    new Problem({ code: "validation_failed", detail: `cursor: ${message}`, errors: [{ path: "cursor", message }] })
  )
}

/** A page of a complete list, newest first. */
export const cut = <A extends { readonly id: string }>(
  all: ReadonlyArray<A>,
  { cursor, limit }: PageOptions
): Page<A> => {
  const before = Cursor.decode(cursor)
  return Cursor.page(before === undefined ? all : all.filter(({ id }) => id < before), limit)
}

/** How a list is written: its parts, one after the other. */
export interface ListForm<A> {
  readonly contentType: string
  readonly opening: string
  readonly item: (item: A) => string
  readonly between: string
  readonly closing: string
}

/** The characters after which others get a turn: one to two milliseconds of work. */
const sliceLength = 32_768

/** The text of a list. Between slices the event loop turns, so that a long list makes no other request wait. */
const written = <A>(items: ReadonlyArray<A>, { between, closing, item, opening }: ListForm<A>): Effect.Effect<string> =>
  Effect.gen(function* () {
    let text = opening
    let yielded = 0
    for (const [index, one] of items.entries()) {
      text += index === 0 ? item(one) : `${between}${item(one)}`
      if (text.length - yielded > sliceLength) {
        yielded = text.length
        yield* Effect.yieldNow
      }
    }
    return `${text}${closing}`
  })

/** Renders a page of items in a form. */
export const answerAs = <A>(
  { items, next }: Page<A>,
  form: ListForm<A>,
  baseUrl: string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { contentType } = form
    const body = HttpServerResponse.text(yield* written(items, form), { contentType })
    if (next === undefined) return body
    const { searchParams } = new URL(request.url, baseUrl)
    searchParams.set("cursor", next)
    return HttpServerResponse.setHeader(
      body,
      "link",
      `<${baseUrl}${pathOf(request)}?${searchParams.toString()}>; rel="next"`
    )
  })

/** Renders a page of items as a JSON array. */
export const answer = <A>(page: Page<A>, encode: (item: A) => unknown, baseUrl: string) =>
  answerAs(
    page,
    {
      contentType: "application/json",
      opening: "[",
      item: (one) => JSON.stringify(encode(one)),
      between: ",",
      closing: "]"
    },
    baseUrl
  )
