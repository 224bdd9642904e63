/** Answers are compressed for clients that accept it: long text, and never a stream of events. */
import { request as httpRequest } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { basePath } from "@kanmon/protocol/BasePath"
import { Effect } from "effect"
import { person, port, shop } from "./Server.ts"
import { shared } from "./SharedServer.ts"

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** One request, its body as it was sent. `part`: do not wait for the end. */
const get = (path: string, headers: Readonly<Record<string, string>>, part = false) =>
  Effect.flatMap(port, (at) =>
    Effect.promise(
      () =>
        new Promise<Got>((resolve, reject) => {
          const asked = httpRequest({ host: "127.0.0.1", port: at, path, headers, agent: false }, (response) => {
            const chunks: Array<Buffer> = []
            const answer = () => {
              resolve({
                status: response.statusCode!,
                headers: response.headers as Got["headers"],
                body: Buffer.concat(chunks)
              })
              asked.destroy()
            }
            response.on("data", (chunk: Buffer) => {
              chunks.push(chunk)
              if (part) answer()
            })
            response.on("end", answer)
          })
          asked.on("error", reject)
          asked.end()
        })
    )
  )

const kept = (headers: Got["headers"]) => ({
  encoding: headers["content-encoding"],
  vary: headers["vary"]?.toLowerCase()
})

layer(shared, { excludeTestServices: true, timeout: "1 minute" })("compression", (it) => {
  it.effect("packs long answers in what the client accepts, and says so to caches", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (let index = 0; index < 10; index++)
        yield* ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` })
      const read = (accepted: string | undefined, route = "/monitors") =>
        get(`${basePath}${route}`, {
          "x-api-key": ada.key,
          ...(accepted === undefined ? {} : { "accept-encoding": accepted })
        })
      const plain = yield* read(undefined)
      assert.deepStrictEqual(kept(plain.headers), { encoding: undefined, vary: "accept-encoding" })
      const brotli = yield* read("gzip, deflate, br, zstd")
      assert.deepStrictEqual(kept(brotli.headers), { encoding: "br", vary: "accept-encoding" })
      assert.deepStrictEqual(brotliDecompressSync(brotli.body), plain.body)
      assert.isBelow(brotli.body.length * 3, plain.body.length)
      const gzip = yield* read("gzip, br;q=0")
      assert.deepStrictEqual(kept(gzip.headers), { encoding: "gzip", vary: "accept-encoding" })
      assert.deepStrictEqual(gunzipSync(gzip.body), plain.body)
      for (const { body, headers } of [plain, brotli, gzip])
        assert.strictEqual(headers["content-length"], `${body.length}`)
      for (const none of ["identity", "br;q=0, gzip;q=0", "zstd", ""])
        assert.deepStrictEqual((yield* read(none)).body, plain.body, none)

      const metrics = yield* get("/metrics", { "accept-encoding": "gzip" })
      assert.strictEqual(metrics.headers["content-encoding"], "gzip")
      assert.include(gunzipSync(metrics.body).toString(), "kanmon_")
    })
  )

  it.effect("knows the packed form of a document again", () =>
    Effect.gen(function* () {
      const ada = yield* person
      for (let index = 0; index < 10; index++)
        yield* ada.withKey("POST", "/monitors", { ...shop, name: `Shop ${index}` })
      const path = `${basePath}/monitors/summaries`
      const headers = { "x-api-key": ada.key, "accept-encoding": "br" }
      const first = yield* get(path, headers)
      assert.deepStrictEqual(kept(first.headers), { encoding: "br", vary: "accept-encoding" })
      assert.lengthOf(JSON.parse(brotliDecompressSync(first.body).toString()).id, 10)
      // Another form of the same document, so the tag is weak (RFC 9110 section 8.8.1).
      assert.match(first.headers["etag"]!, /^W\//)
      const again = yield* get(path, { ...headers, "if-none-match": first.headers["etag"]! })
      assert.strictEqual(again.status, 304)
      assert.lengthOf(again.body, 0)
    })
  )

  it.effect("leaves short answers and streams of events as they are", () =>
    Effect.gen(function* () {
      const ada = yield* person
      const headers = { "x-api-key": ada.key, "accept-encoding": "br, gzip" }
      const short = yield* get(`${basePath}/overview`, headers)
      assert.isUndefined(short.headers["content-encoding"])
      assert.strictEqual(JSON.parse(short.body.toString()).monitors, 0)
      const stream = yield* get(`${basePath}/events`, { ...headers, accept: "text/event-stream" }, true)
      assert.strictEqual(stream.headers["content-type"], "text/event-stream")
      assert.deepStrictEqual(kept(stream.headers), { encoding: undefined, vary: undefined })
      assert.match(stream.body.toString(), /^(:|retry|id|event|data)/)
    })
  )
})
