/** What browsers get of the dashboard, and what it leaves to others. */
import { readdir, readFile } from "node:fs/promises"
import * as path from "node:path"
import { createHash } from "node:crypto"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as DashboardBuild from "../../support/DashboardBuild.ts"
import { layer as server, port, raw } from "./Server.ts"

const live = { excludeTestServices: true } as const
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** One request, its body as it was sent. */
const get = (target: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.map(
    raw(
      `${method} ${target} HTTP/1.1\r\nhost: kanmon.example\r\nconnection: close\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`
    ),
    (text): Answer => {
      const end = text.indexOf("\r\n\r\n")
      const [first = "", ...lines] = text.slice(0, end).split("\r\n")
      return {
        status: Number(first.split(" ")[1]),
        headers: new Map(
          lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)])
        ),
        body: Buffer.from(text.slice(end + 4), "latin1")
      }
    }
  )

layer(server({ pagesDomain: "pages.example" }), live)("the dashboard", (it) => {
  it.effect("is what a browser gets at the root, and JSON what everything else gets", () =>
    Effect.gen(function* () {
      const page = yield* get("/", { accept: browser })
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(page.headers.get("cache-control"), "no-cache")
      assert.include(page.headers.get("vary")!, "accept")
      for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.5"]) {
        const index = yield* get("/", { accept })
        assert.strictEqual(index.headers.get("content-type"), "application/json", accept)
        assert.include(index.headers.get("vary")!.split(", "), "accept")
        assert.strictEqual(JSON.parse(index.body.toString()).name, "Kanmon")
      }
    })
  )

  it.effect("allows its own scripts by the policy, and nothing inline beside them", () =>
    Effect.gen(function* () {
      const { body, headers } = yield* get("/", { accept: browser })
      const policy = headers.get("content-security-policy")!
      assert.notInclude(policy, "unsafe")
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "frame-ancestors 'none'")
      const scripts = [...body.toString().matchAll(/<script>([\s\S]*?)<\/script>/g)]
      assert.isAbove(scripts.length, 0)
      for (const [, script = ""] of scripts)
        assert.include(policy, `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
      assert.notMatch(body.toString(), /<style|\sstyle=|\son\w+=/)
    })
  )

  it.effect("answers 304 to a browser that has the document", () =>
    Effect.gen(function* () {
      const first = yield* get("/monitors", { accept: browser })
      const again = yield* get("/monitors", { accept: browser, "if-none-match": first.headers.get("etag")! })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.body.length, 0)
    })
  )

  it.effect("serves assets compressed, to be kept for a year", () =>
    Effect.gen(function* () {
      const names = yield* Effect.promise(() => readdir(path.join(DashboardBuild.folder, "assets")))
      for (const name of names.filter((name) => /\.(js|css)$/.test(name))) {
        const content = yield* Effect.promise(() => readFile(path.join(DashboardBuild.folder, "assets", name)))
        const plain = yield* get(`/assets/${name}`)
        assert.strictEqual(plain.status, 200)
        assert.strictEqual(plain.headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.strictEqual(plain.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(plain.body.length, content.length)
        const zipped = yield* get(`/assets/${name}`, { "accept-encoding": "gzip" })
        assert.strictEqual(zipped.headers.get("content-encoding"), "gzip")
        assert.isTrue(gunzipSync(zipped.body).equals(content), name)
        const packed = yield* get(`/assets/${name}`, { "accept-encoding": "gzip, deflate, br, zstd" })
        assert.strictEqual(packed.headers.get("content-encoding"), "br")
        assert.isTrue(brotliDecompressSync(packed.body).equals(content), name)
      }
      assert.strictEqual((yield* get("/assets/index-gone.js", { accept: browser })).status, 404)
    })
  )

  it.effect("answers for addresses of its pages, and leaves those of others alone", () =>
    Effect.gen(function* () {
      for (const target of ["/monitors", "/monitors/mon_1/edit", "/sign-in?to=%2Fmonitors"])
        assert.include((yield* get(target, { accept: browser })).body.toString(), '<div id="root">', target)
      for (const target of ["/api/v1/nothing", "/api", "/wp-login.php", "/favicon.ico", "/.well-known/nothing"]) {
        const answer = yield* get(target, { accept: browser })
        assert.strictEqual(answer.status, 404, target)
        assert.strictEqual(answer.headers.get("content-type"), "application/problem+json", target)
      }
      assert.notInclude((yield* get("/status/nothing", { accept: browser })).body.toString(), '<div id="root">')
      assert.strictEqual((yield* get("/monitors")).status, 404)
      assert.strictEqual((yield* get("/monitors", { accept: browser }, "POST")).status, 404)
    })
  )

  it.effect("stays off the hosts of status pages", () =>
    Effect.gen(function* () {
      const answer = yield* raw(
        `GET / HTTP/1.1\r\nhost: shop.pages.example\r\naccept: ${browser}\r\nconnection: close\r\n\r\n`
      )
      assert.notInclude(answer, '<div id="root">')
      assert.isNumber(yield* port)
    })
  )
})
