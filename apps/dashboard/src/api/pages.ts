/** Lists that come in pages (`Link`, RFC 8288). */
import { addressOf } from "../browser/place.ts"
import { call, type RequestOptions } from "./request.ts"

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

/** `?a=1&b=2` of what is defined; empty without any. */
export const queryOf = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/** One page of a list. The caller says the type of its items, which `@kanmon/protocol` declares. */
export const requestPage = async <A>(path: string, options: RequestOptions): Promise<Page<A>> => {
  const response = await call("GET", path, options)
  return {
    items: (await response.json()) as ReadonlyArray<A>,
    next: nextCursor(response.headers.get("link"))
  }
}
