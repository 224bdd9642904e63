/**
 * CSRF protection: refuses session requests from other origins. Browsers send `Origin` with every unsafe request; a request
 * without it does not come from a browser.
 */
import { Problem } from "@kanmon/protocol/Problem"
import { isRead } from "./RequestInfo.ts"

export const objection = (
  request: { readonly method: string; readonly headers: Readonly<Record<string, string | undefined>> },
  baseUrl: string
): Problem<"forbidden"> | undefined => {
  const { origin } = new URL(baseUrl)
  const from = request.headers["origin"]
  return isRead(request.method) || from === undefined || from === origin
    ? undefined
    : new Problem({
        code: "forbidden",
        detail: `Requests with a session must come from ${origin}, the address in KANMON_BASE_URL, not from ${from}. Open Kanmon at ${baseUrl}, or let the operator set KANMON_BASE_URL`
      })
}
