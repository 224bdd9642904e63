/** The settings file of a folder, and the files of secret settings, which are read before any setting is. */
import { existsSync, readFileSync } from "node:fs"

const file = ".env"

/** Adds the settings of the file, if there is one, to those of the environment, which take precedence. Ends the process if it cannot be read. */
export const load = () => {
  loadSettings()
  // oxlint-disable-next-line node/no-process-env -- completes the environment that the settings are read from
  const problem = loadSecrets(process.env)
  if (problem === undefined) return
  // oxlint-disable-next-line no-console -- there is no logger yet
  console.error(`kanmon: ${problem}`)
  process.exit(1)
}

/** The settings that may come from a file: `DATABASE_URL_FILE` names the one with `DATABASE_URL`. */
export const secretNames = Object.freeze([
  "ACME_EAB_HMAC_KEY",
  "DATABASE_URL",
  "KANMON_OIDC_CLIENT_SECRET",
  "KANMON_SECRET",
  "NATS_URL",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "TWILIO_AUTH_TOKEN",
  "TWILIO_AUTH_TOKEN_PREVIOUS",
  "TWILIO_SIGNATURE_KEY"
])

/**
 * Sets the secret settings for which a file is named to its content, without the line break at its end. Returns what is wrong with
 * one, if anything is.
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export const loadSecrets = (env) => {
  for (const name of secretNames) {
    const source = `${name}_FILE`
    const path = env[source]
    // Otherwise a start would warn of a setting that it does not know.
    delete env[source]
    if (path === undefined || path === "") continue
    const given = env[name] ?? ""
    try {
      env[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "")
    } catch (error) {
      return `${source}: ${error instanceof Error ? error.message : String(error)}`
    }
    if (env[name] === "") return `${source}: ${path} is empty`
    // A process that starts itself again inherits the value of before.
    if (given !== "" && given !== env[name]) return `${source}: ${name} is set, too. Keep one of them.`
  }
  return undefined
}

const loadSettings = () => {
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
