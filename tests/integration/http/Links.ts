/** The addresses in messages, and the pages to which they lead. */
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as SignOnBrowser from "../../support/SignOnBrowser.ts"
import { type Call, port, publicUrl } from "./Server.ts"

/** Every address in a text, each once: that of a page, as mail programs and chats read them. */
export const addressesIn = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/https?:\/\/[^\s"'<>\\)|]+/g)].map(([address]) => address.replaceAll("&amp;", "&")))
]

const dashboard = path.resolve(import.meta.dirname, "../../../apps/dashboard/src")

/** The addresses of the dashboard's pages, as its router has them: `/alerts/$id`. */
const routes: ReadonlyArray<string> = ["router.tsx", "entrance.tsx", "shell.tsx"].flatMap((file) =>
  [
    ...readFileSync(path.join(dashboard, file), "utf8").matchAll(/getParentRoute: \(\) => (\w+),\s+path: "(\/[^"]*)"/g)
  ].map(([, parent, route]) => (parent === "settings" ? `/settings${route}` : route!))
)

/** Where the dashboard reads what its pages are about. */
const records: Readonly<Record<string, string>> = {
  "/monitors/$id": "/monitors",
  "/alerts/$id": "/alerts",
  "/on-call/drills/$id": "/drills"
}

const routeOf = (pathname: string) => {
  const pattern = (route: string) => new RegExp(`^${route.replaceAll(/\$\w+/g, "[^/]+")}$`)
  // A word before an id: `/monitors/new`.
  return routes
    .toSorted((one, other) => one.split("$").length - other.split("$").length)
    .find((route) => pattern(route).test(pathname))
}

interface Reader {
  readonly projectId: string
  readonly withSession: Call
}

/** Opens an address of a message as its reader, who has no session in this browser. Returns the page. */
export const opened = Effect.fnUntraced(function* (address: string, reader?: Reader) {
  const url = new URL(address)
  assert.strictEqual(url.origin, publicUrl, address)
  const visitor = SignOnBrowser.make({ [publicUrl]: `http://127.0.0.1:${yield* port}` })
  const page = yield* Effect.promise(() => visitor.open(address))
  assert.strictEqual(page.status, 200, `${address}: ${page.text}`)
  if (url.pathname.startsWith("/api/")) return { ...page, route: undefined }
  assert.include(page.text, '<div id="root">', address)
  const route = routeOf(url.pathname)
  assert.isDefined(route, `The dashboard has no page at ${address}`)
  const project = url.searchParams.get("project")
  if (project !== null) assert.strictEqual(project, reader?.projectId, address)
  if (route!.includes("$")) {
    const read = `${records[route!]}/${url.pathname.split("/").at(-1)}`
    const record = yield* reader!.withSession("GET", read, undefined, { "kanmon-project": project ?? "" })
    assert.strictEqual(record.status, 200, `${address}: ${JSON.stringify(record.body)}`)
  }
  return { ...page, route }
})
