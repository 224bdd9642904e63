/** `npm run new-plugin -- check-grpc`: a new plugin in `plugins/`, which comes with Kanmon. */
import * as path from "node:path"
import { Effect } from "effect"
import * as NewPlugin from "../src/cli/NewPlugin.ts"

const [name = "", ...flags] = process.argv.slice(2)
const folder = path.resolve(import.meta.dirname, "../../../plugins", name)

const written = NewPlugin.write(name, folder, { inside: true, promises: flags.includes("--promises") }).pipe(
  Effect.match({
    onFailure: ({ message }) => {
      console.error(message)
      process.exitCode = 1
    },
    onSuccess: (files) =>
      console.log(
        [
          `Wrote ${files.join(", ")} to plugins/${name}.`,
          "",
          "  npm install && npm run generate                 enters it into the workspace and the catalogue",
          `  npx vitest run --config tests/vitest.config.ts ${name.startsWith("check-") ? "tests/contract/checks" : `plugins/${name}`}`,
          "                                                  is red until it is written"
        ].join("\n")
      )
  })
)

await Effect.runPromise(written)
