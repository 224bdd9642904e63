/**
 * The disk of the data directory becomes full and free again, with the embedded PostgreSQL on it: what was accepted
 * is kept, requests fail with reasons, and the product goes on by itself. The disk is a file system in memory, which needs root.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { hasStatus } from "../support/Checks.ts"
import * as Folder from "../support/Folder.ts"
import * as Product from "../support/Product.ts"
import * as WebTarget from "../support/WebTarget.ts"

const canMount = process.platform === "linux" && process.getuid?.() === 0

interface Disk {
  readonly folder: string
  readonly fill: Effect.Effect<void>
  readonly free: Effect.Effect<void>
}

const disk: Effect.Effect<Disk, never, Scope.Scope> = Effect.gen(function* () {
  const parent = yield* Folder.make({ "disk/.placeholder": "" })
  const folder = path.join(parent, "disk")
  yield* Effect.acquireRelease(
    Effect.sync(() => execFileSync("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=512m,mode=755", "tmpfs", folder])),
    () => Effect.sync(() => execFileSync("/usr/bin/umount", ["--lazy", folder]))
  )
  const filler = path.join(folder, "filler")
  const block = Buffer.alloc(1 << 16)
  return {
    folder,
    fill: Effect.sync(() => {
      const file = fs.openSync(filler, "a")
      try {
        for (;;) fs.writeSync(file, block)
      } catch (error) {
        assert.strictEqual((error as NodeJS.ErrnoException).code, "ENOSPC")
      } finally {
        fs.closeSync(file)
      }
    }),
    free: Effect.sync(() => fs.rmSync(filler, { force: true }))
  }
})

/** Takes minutes. */
const isNightly = process.env["KANMON_NIGHTLY"] === "all"

describe.skipIf(!canMount || !isNightly)("a full disk", () => {
  it.live("costs no accepted data, and the product goes on when there is room again", () =>
    Effect.gen(function* () {
      const { fill, folder, free } = yield* disk
      const target = yield* WebTarget.make
      const product = yield* Product.make({
        ownDatabase: true,
        // nats-server reserves more room for its streams than this disk has.
        withoutNats: true,
        env: { KANMON_DATA_DIR: path.join(folder, "data") }
      })
      yield* product.healthy
      const ada = yield* product.signUp
      const web = { type: "http", url: `http://127.0.0.1:${target.port}/`, interval: 10 }
      const { body: shop } = yield* ada.call("POST", "/monitors", { ...web, name: "Shop" })
      yield* hasStatus(ada, shop.id, "up")

      // Large texts, so that the database needs new pages and segments of its log.
      const accepted: Array<string> = ["Shop"]
      let refused: Product.ApiResponse | undefined
      for (let nth = 0; refused === undefined && nth < 4000; nth++) {
        yield* fill
        const name = `Monitor ${nth}`
        const description = `${nth} ${"a text that takes room ".repeat(300)}`.slice(0, 4000)
        const answer = yield* ada.call("POST", "/monitors", { ...web, name, description, paused: true })
        if (answer.status === 201) accepted.push(name)
        else if (answer.status === 402 || answer.status === 429) break
        else refused = answer
      }
      if (refused !== undefined) {
        assert.isAtLeast(refused.status, 500)
        assert.isString(refused.body.detail)
        assert.notMatch(refused.body.detail, /undefined|\[object/)
      }
      target.status = 500

      yield* free
      const later = yield* Product.eventually(
        ada.call("POST", "/monitors", { ...web, name: "Afterwards", paused: true }),
        ({ status }) => status < 500
      )
      assert.oneOf(later.status, [201, 402])
      yield* hasStatus(ada, shop.id, "down")
      target.status = 200
      yield* hasStatus(ada, shop.id, "up")
      const names: Array<string> = []
      for (let cursor: string | null = ""; cursor !== null;) {
        const { body }: Product.ApiResponse = yield* ada.call("GET", `/monitors?limit=100${cursor}`)
        const page: ReadonlyArray<{ readonly name: string }> = body.data ?? body
        names.push(...page.map(({ name }) => name))
        cursor = body.nextCursor === undefined || body.nextCursor === null ? null : `&cursor=${body.nextCursor}`
      }
      assert.includeMembers(names, accepted)
      const { body: health } = yield* product.call("GET", "/health")
      assert.deepStrictEqual(health.stalls, [])
    }).pipe(Effect.scoped)
  )
})
