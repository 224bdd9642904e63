/** Creates the folder of a new plugin, for `kanmon plugin new` and `npm run new-plugin`. */
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Data, Effect } from "effect"
import * as PluginTemplate from "./PluginTemplate.ts"

/** Nothing was written; the message says why. */
class NotWritten extends Data.TaggedError("NotWritten")<{ readonly message: string }> {}

/** Writes the files and returns their paths. Refuses a folder that is not empty. */
export const write = Effect.fnUntraced(function* (
  name: string,
  folder: string,
  options: Omit<PluginTemplate.PluginFolder, "name">
) {
  const files = PluginTemplate.files({ name, ...options })
  if (files === undefined) {
    return yield* new NotWritten({
      message: `${name} is not a valid name: check-<type> makes a check, notify-<type> a channel; the type is lower case letters, digits and dashes`
    })
  }
  const present = yield* Effect.promise(() => fs.readdir(folder).catch(() => []))
  if (present.length > 0) return yield* new NotWritten({ message: `${folder} already exists and is not empty` })
  yield* Effect.tryPromise({
    try: async () => {
      for (const [file, text] of Object.entries(files)) {
        const place = path.join(folder, file)
        await fs.mkdir(path.dirname(place), { recursive: true })
        await fs.writeFile(place, text)
      }
    },
    catch: (cause) => new NotWritten({ message: `${folder} cannot be written: ${(cause as Error).message}` })
  })
  return Object.keys(files)
})
