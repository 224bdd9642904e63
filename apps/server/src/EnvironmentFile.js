/** The settings file of a folder, which is read before any setting is. */
import { existsSync } from "node:fs"

const file = ".env"

/** Adds the settings of the file, if there is one, to those of the environment, which take precedence. Ends the process if it cannot be read. */
export const load = () => {
  if (!existsSync(file)) return
  try {
    process.loadEnvFile(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // oxlint-disable-next-line no-console -- there is no logger yet
    console.error(`kanmon: ${file} in ${process.cwd()} cannot be read: ${reason}`)
    process.exit(1)
  }
}
