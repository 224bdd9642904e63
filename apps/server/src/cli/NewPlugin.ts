/** Writes the folder of a new plugin, for `kanmon plugin new` and for `npm run new-plugin`. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Data, Effect } from "effect"
import * as PluginTemplate from "./PluginTemplate.ts"

/** It was not written, and nothing was changed. */
class NotWritten extends Data.TaggedError("NotWritten")<{ readonly message: string }> {}

/** Writes it, and answers the files. A folder that has something in it is left alone. */
export const write = Effect.fnUntraced(function* (
  name: string,
  folder: string,
  options: Pick<PluginTemplate.Wanted, "inside" | "promises">
) {
  const meaning = PluginTemplate.meaningOf(name)
  if (meaning === undefined) {
    return yield* new NotWritten({
      message: `${name} is no name for it: check-<type> makes a check, notify-<type> a channel; the type is lower case letters, digits and dashes`
    })
  }
  const present = yield* Effect.promise(() => fs.readdir(folder).catch(() => []))
  if (present.length > 0) return yield* new NotWritten({ message: `${folder} is there already, and not empty` })
  const files = PluginTemplate.files({ ...meaning, ...options })
  yield* Effect.tryPromise({
    try: async () => {
      for (const [file, text] of Object.entries(files)) {
        const place = path.join(folder, file)
        await fs.mkdir(path.dirname(place), { recursive: true })
        await fs.writeFile(place, text)
      }
    },
    catch: (cause) => new NotWritten({ message: `It cannot be written to ${folder}: ${(cause as Error).message}` })
  })
  return Object.keys(files)
})
