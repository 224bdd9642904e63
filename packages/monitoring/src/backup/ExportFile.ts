/**
 * An export as a file: lines of text, compressed with gzip, readable by its owner only. It gets its name when it is
 * complete.
 */
import { once } from "node:events"
import { createReadStream, createWriteStream, existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip, type Gzip } from "node:zlib"
import { damaged, type ExportUnusable } from "./ExportFormat.ts"
import { Data, Effect, Exit, Stream } from "effect"

/** The file cannot be written or read. */
export class FileFailed extends Data.TaggedError("FileFailed")<{ readonly message: string }> {}

const because = (what: string) => (cause: unknown) =>
  new FileFailed({ message: `${what}: ${(cause as Error).message}` })

/** Writes the file from the lines of `produce`; removes it on failure. */
export const write = <A, E, R>(
  file: string,
  produce: (line: (text: string) => Effect.Effect<void, FileFailed>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | FileFailed, R> =>
  Effect.gen(function* () {
    if (existsSync(file)) return yield* new FileFailed({ message: `${file} exists; name a file that does not` })
    const partial = path.join(path.dirname(file), `.${path.basename(file)}.part`)
    const failed = because(`${file} cannot be written`)
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => {
        const gzip = createGzip()
        const written = pipeline(gzip, createWriteStream(partial, { mode: 0o600, flush: true }))
        // Fails the next write, and the wait for the end.
        written.catch(() => undefined)
        return { gzip, written }
      }),
      ({ gzip, written }) =>
        Effect.gen(function* () {
          const result = yield* produce((text) =>
            Effect.tryPromise({ try: () => append(gzip, written, text), catch: failed })
          )
          yield* Effect.tryPromise({
            try: async () => {
              gzip.end()
              await written
              await fs.rename(partial, file)
            },
            catch: failed
          })
          return result
        }),
      ({ gzip }, exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.promise(() => {
              gzip.destroy()
              return fs.rm(partial, { force: true })
            })
    )
  })

const append = async (gzip: Gzip, written: Promise<void>, text: string): Promise<void> => {
  if (gzip.destroyed) return written
  if (!gzip.write(`${text}\n`)) await Promise.race([once(gzip, "drain"), written])
}

/** The lines of a file. Fails if it does not exist or is truncated. */
export const lines = (file: string): Stream.Stream<string, FileFailed | ExportUnusable> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(linesOf(file), (cause) =>
      String((cause as NodeJS.ErrnoException).code).startsWith("Z_")
        ? damaged(`it cannot be unpacked (${(cause as Error).message})`)
        : because(`${file} cannot be read`)(cause)
    )
  )

async function* linesOf(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip()
  // Failures here are reported by the iteration below.
  pipeline(createReadStream(file), unpacked).catch(() => undefined)
  let rest = ""
  for await (const chunk of unpacked.setEncoding("utf8") as AsyncIterable<string>) {
    const parts = (rest + chunk).split("\n")
    rest = parts.pop()!
    yield* parts
  }
  if (rest !== "") yield rest
}
