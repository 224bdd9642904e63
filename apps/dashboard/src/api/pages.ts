/** Lists that come in pages (`Link`, RFC 8288). */
import { addressOf } from "../browser/place.ts"
import { type Input, messageOf } from "./message.ts"
import { deliver } from "./request.ts"
import type { Answer, Route } from "./routes.ts"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/** The cursor of the next page, from a `Link` header. */
export const nextCursor = (link: string | null): string | undefined => {
  const next = /<([^<>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "")?.[1]
  return next === undefined ? undefined : (new URL(next, addressOf("")).searchParams.get("cursor") ?? undefined)
}

type ItemOf<List> = List extends ReadonlyArray<infer Item> ? Item : never

/** One page of a list. */
export const requestPage = async <R extends Route>(route: R, input: Input<R>): Promise<Page<ItemOf<Answer<R>>>> => {
  const response = await deliver(messageOf(route, input))
  return {
    items: (await response.json()) as ReadonlyArray<ItemOf<Answer<R>>>,
    next: nextCursor(response.headers.get("link"))
  }
}
