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

/** Renders a page of encoded items as a response. */
export const answer = (
  { items, next }: Page<unknown>,
  baseUrl: string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const body = HttpServerResponse.jsonUnsafe(items)
    if (next === undefined) return body
    const { searchParams } = new URL(request.url, baseUrl)
    searchParams.set("cursor", next)
    return HttpServerResponse.setHeader(
      body,
      "link",
      `<${baseUrl}${pathOf(request)}?${searchParams.toString()}>; rel="next"`
    )
  })
