/**
 * Keeps other sites' pages from using a session. A browser tells the origin of every request that changes something, so one
 * that names another origin is refused; one that names none comes from a script, which holds its cookie by right.
 */
import { Problem } from "@kanmon/protocol/Problem"
import { isRead } from "./RequestInfo.ts"

export const objection = (
  request: { readonly method: string; readonly headers: Readonly<Record<string, string | undefined>> },
  baseUrl: string
): Problem | undefined => {
  const { origin } = new URL(baseUrl)
  const from = request.headers["origin"]
  return isRead(request.method) || from === undefined || from === origin
    ? undefined
    : new Problem({ code: "forbidden", detail: `Requests of a session come from ${origin}, not from ${from}` })
}
