/** Pages of lists: `?limit=` and `?cursor=` in, the `Link` header out (RFC 8288). */
import { Problem } from "@kanmon/protocol/Problem"
import * as Cursor from "@kanmon/store/database/Cursor"
import type { Page, PageOptions } from "@kanmon/store/database/Page"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { pathOf } from "./RequestInfo.ts"

const pageSize = 1000

/** A cursor that was not ours would silently begin the list anew, so it is refused. */
export const read = (query: {
  readonly limit?: number
  readonly cursor?: string
}): Effect.Effect<PageOptions, Problem> => {
  const { cursor, limit = pageSize } = query
  if (cursor === undefined || Cursor.decode(cursor) !== undefined) return Effect.succeed({ cursor, limit })
  const message = "Expected a cursor from a Link header"
  return Effect.fail(
    new Problem({ code: "malformed_request", detail: `cursor: ${message}`, errors: [{ path: "cursor", message }] })
  )
}

/** The page of a list that is held whole, newest first. */
export const cut = <A extends { readonly id: string }>(
  all: ReadonlyArray<A>,
  { cursor, limit }: PageOptions
): Page<A> => {
  const before = Cursor.decode(cursor)
  return Cursor.page(before === undefined ? all : all.filter(({ id }) => id < before), limit)
}

/** A page as a response. The items are encoded already; `never` because they pass the endpoint's own encoding by. */
export const answer = (
  { items, next }: Page<unknown>,
  baseUrl: string
): Effect.Effect<never, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const body = HttpServerResponse.jsonUnsafe(items)
    if (next === undefined) return body as never
    const { searchParams } = new URL(request.url, baseUrl)
    searchParams.set("cursor", next)
    return HttpServerResponse.setHeader(
      body,
      "link",
      `<${baseUrl}${pathOf(request)}?${searchParams.toString()}>; rel="next"`
    ) as never
  })
