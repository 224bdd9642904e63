/** Reads the files of a command: files, and all YAML files of folders. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Data, Effect } from "effect"
import type { SourceFile } from "./Source.ts"

/** A file or folder that cannot be read. */
export class UnreadableFile extends Data.TaggedError("UnreadableFile")<{ readonly message: string }> {}

const reading = <A>(name: string, read: () => Promise<A>): Effect.Effect<A, UnreadableFile> =>
  Effect.tryPromise({
    try: read,
    catch: (cause) => {
      const { code } = cause as NodeJS.ErrnoException
      const why = code === "ENOENT" ? "There is no such file" : (cause as Error).message
      return new UnreadableFile({ message: `${name}: ${why}; name files or folders with -f` })
    }
  })

/** Reads files in the given order, those of a folder sorted by name. */
export const read = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<SourceFile>, UnreadableFile> =>
  Effect.map(Effect.forEach(names, readOne), (files) => files.flat())

const readOne = Effect.fnUntraced(function* (name: string) {
  const isFolder = yield* reading(name, async () => (await fs.stat(name)).isDirectory())
  const files = isFolder ? yield* reading(name, async () => inside(name, await fs.readdir(name))) : [name]
  if (files.length === 0)
    return yield* new UnreadableFile({ message: `${name}: There is no .yaml or .yml file in this folder` })
  return yield* Effect.forEach(files, (file) =>
    Effect.map(
      reading(file, () => fs.readFile(file, "utf8")),
      (text): SourceFile => ({ name: file, text })
    )
  )
})

const inside = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names
    .filter((name) => /\.ya?ml$/i.test(name))
    .toSorted()
    .map((name) => path.join(folder, name))
