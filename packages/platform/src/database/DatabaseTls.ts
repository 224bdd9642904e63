/**
 * TLS settings in `DATABASE_URL`, with the meaning that libpq gives them. Kanmon reads them because the client always
 * verifies encrypted connections and knows no files. Errors never quote the address.
 */
import { createPrivateKey, X509Certificate } from "node:crypto"
import * as fs from "node:fs/promises"
import { type ConnectionOptions, createSecureContext } from "node:tls"
import { Data, Effect, Redacted } from "effect"

/** The address is not understood, or names files that do not serve. Trying again cannot help. */
export class BadDatabaseUrl extends Data.TaggedError("BadDatabaseUrl")<{ readonly problem: string }> {
  override get message(): string {
    return `DATABASE_URL: ${this.problem}`
  }
}

const modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const
type Mode = (typeof modes)[number]

const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const
type Parameter = (typeof parameters)[number]
type Given = Readonly<Partial<Record<Parameter, string>>>

export interface DatabaseTls {
  readonly mode: Mode
  /** For the client; `false` for a connection without TLS. */
  readonly ssl: false | ConnectionOptions
  /** Whether a server without TLS is good enough. */
  readonly optional: boolean
}

const bad = (problem: string) => new BadDatabaseUrl({ problem })

/** Without `sslmode` the connection is not encrypted. */
export const read = Effect.fnUntraced(function* (address: Redacted.Redacted) {
  const url = yield* Effect.try({
    try: () => new URL(Redacted.value(address)),
    catch: () =>
      bad("expected postgres://user:password@host:port/database; in a password, / ? # @ and % are written with %")
  })
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:") {
    return yield* bad("expected an address that begins with postgres://")
  }
  const given = yield* givenIn(url.searchParams)
  const mode = yield* modeOf(given)
  const socket = url.searchParams.get("host")?.startsWith("/") ?? url.hostname.startsWith("%2F")
  const off: DatabaseTls = { mode, ssl: false, optional: false }
  // Like libpq: no TLS on a local socket.
  if (mode === "disable" || socket) return off
  const files = yield* filesOf(given)
  const tls: DatabaseTls = {
    mode,
    ssl: { ...files, ...verification(mode, files.ca !== undefined) },
    optional: mode === "allow" || mode === "prefer"
  }
  return tls
})

const givenIn = Effect.fnUntraced(function* (query: URLSearchParams) {
  const given: { [Name in Parameter]?: string } = {}
  for (const [name, value] of query) {
    if (!name.startsWith("ssl")) continue
    const known = parameters.find((one) => one === name)
    // An ignored parameter would give a false sense of security.
    if (known === undefined) {
      const words = `${name} is not understood; the parameters of TLS are ${parameters.join(", ")}`
      return yield* bad(name === "ssl" ? `${words}: sslmode=require is what ssl=true means elsewhere` : words)
    }
    if (value === "") return yield* bad(`${name} is empty`)
    given[known] = value
  }
  if ((given.sslcert === undefined) !== (given.sslkey === undefined)) {
    return yield* bad("sslcert and sslkey, a certificate and its key, are only good together")
  }
  return given
})

const modeOf = Effect.fnUntraced(function* ({ sslcert, sslmode, sslrootcert }: Given) {
  if (sslmode === undefined) {
    // libpq would use TLS if the server has it. Configured certificates state that TLS is required.
    if (sslrootcert === undefined && sslcert === undefined) return "disable" as const
    return yield* bad(`sslmode is missing; expected one of ${modes.join(", ")}`)
  }
  const mode = modes.find((one) => one === sslmode)
  if (mode === undefined) return yield* bad(`sslmode: expected one of ${modes.join(", ")}`)
  // Anyone can get a certificate from a public authority, so the name must match.
  if (mode === "verify-ca" && (sslrootcert === undefined || sslrootcert === "system")) {
    return yield* bad("sslmode=verify-ca needs sslrootcert, a file of your own; with public roots use verify-full")
  }
  return mode
})

/** `require` verifies the signature too when it is given a root, as libpq does. */
const verification = (mode: Mode, hasRoot: boolean): ConnectionOptions => {
  if (mode === "verify-full") return { rejectUnauthorized: true }
  if (mode === "verify-ca" || (mode === "require" && hasRoot)) {
    return { rejectUnauthorized: true, checkServerIdentity: () => undefined }
  }
  return { rejectUnauthorized: false }
}

interface Files {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

const filesOf = Effect.fnUntraced(function* (given: Given) {
  const pem = (name: Parameter, what: string, check: (pem: string) => unknown) => {
    const file = given[name]
    return file === undefined || file === "system" ? Effect.succeed(undefined) : pemIn(name, file, what, check)
  }
  const certificate = (text: string) => new X509Certificate(text)
  const ca = yield* pem("sslrootcert", "certificate", certificate)
  const cert = yield* pem("sslcert", "certificate", certificate)
  const key = yield* pem("sslkey", "private key without a passphrase", createPrivateKey)
  const files: Files = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key })
  }
  return yield* Effect.try({
    try: () => {
      createSecureContext(files)
      return files
    },
    catch: () => bad(`sslkey: ${given.sslkey} is not the key of the certificate in ${given.sslcert}`)
  })
})

const pemIn = Effect.fnUntraced(function* (
  name: Parameter,
  file: string,
  what: string,
  check: (pem: string) => unknown
) {
  const text = yield* Effect.tryPromise({
    try: () => fs.readFile(file, "utf8"),
    catch: (cause) => {
      const { code } = cause as NodeJS.ErrnoException
      return bad(
        code === "ENOENT"
          ? `${name}: there is no file ${file}`
          : `${name}: ${file} cannot be read (${code}); this process's user needs to`
      )
    }
  })
  return yield* Effect.try({
    try: () => {
      check(text)
      return text
    },
    catch: () => bad(`${name}: ${file} holds no ${what} in PEM`)
  })
})
