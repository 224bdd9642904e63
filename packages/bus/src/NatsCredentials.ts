/** Reads the files that `NATS_URL` names and builds the login. Errors name the parameter and the file, never its contents or a key. */
import { createPrivateKey, X509Certificate } from "node:crypto"
import * as fs from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { type Authenticator, credsAuthenticator, nkeyAuthenticator, type TlsOptions } from "@nats-io/nats-core"
import { Effect, Redacted } from "effect"
import { BadNatsAddress, type Files, type NatsAddress, type Parameter } from "./NatsAddress.ts"
import * as NatsKey from "./NatsKey.ts"

/** Options of the client's `connect`. */
export interface Credentials {
  readonly authenticator?: Authenticator
  readonly inboxPrefix?: string
  readonly tls?: TlsOptions
  readonly user?: string
  readonly pass?: string
  readonly token?: string
}

export const read = Effect.fnUntraced(function* ({ files, login, tls }: NatsAddress) {
  const options = { ...Redacted.value(login), ...(yield* identity(files)) }
  // With `tls` set at all, the client refuses a server without TLS.
  return tls ? { ...options, tls: yield* certificates(files) } : options
})

/** Describes the login without secrets. */
export const describe = ({ files, login }: NatsAddress): Effect.Effect<string, BadNatsAddress> => {
  const known = Redacted.value(login)
  if (files.nkey !== undefined)
    return Effect.map(
      seedOf(files.nkey),
      ({ publicKey }) => `as the nkey ${publicKey} (${NatsKey.isKey(files.nkey!) ? "in NATS_URL" : files.nkey})`
    )
  if (files.creds !== undefined) return Effect.succeed(`with the credentials in ${files.creds}`)
  if (known === undefined) return Effect.succeed("without credentials")
  return Effect.succeed("user" in known ? `as the user ${known.user}` : "with a token")
}

const identity = (files: Files): Effect.Effect<Credentials, BadNatsAddress> => {
  if (files.nkey !== undefined) {
    return Effect.map(seedOf(files.nkey), ({ publicKey, seed }) => ({
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
      inboxPrefix: NatsKey.inboxOf(publicKey)
    }))
  }
  if (files.creds !== undefined) return credsIn(files.creds)
  return Effect.succeed({})
}

/** The key in a file, or the key that was given in place of the path. */
const seedOf = Effect.fnUntraced(function* (file: string) {
  if (NatsKey.isKey(file)) {
    const given = NatsKey.find(file)
    if (given !== undefined) return given
    return yield* bad(
      "nkey",
      "the key is not whole; copy all of the line that starts with SU, or give the path of its file"
    )
  }
  const key = NatsKey.find(yield* text("nkey", file))
  if (key === undefined) return yield* bad("nkey", `${file} contains no user seed, which is a line that starts with SU`)
  return key
})

/** The JWT defines the reply inbox; `_INBOX` is what is usually allowed. */
const credsIn = Effect.fnUntraced(function* (file: string) {
  const creds = new TextEncoder().encode(yield* text("creds", file))
  const authenticator = credsAuthenticator(creds)
  return yield* Effect.try({
    try: () => {
      // Tested before the first connection, because the client would only close it without a reason.
      authenticator("nonce")
      return { authenticator }
    },
    catch: () => problem("creds", `${file} is not a credentials file: a user's JWT and seed, as nsc writes them`)
  })
})

const certificates = Effect.fnUntraced(function* (files: Files) {
  const pem = (name: Parameter, what: string, check: (pem: string) => unknown) => {
    const file = files[name]
    if (file === undefined) return Effect.succeed({})
    return Effect.flatMap(text(name, file), (found) =>
      Effect.try({
        try: () => {
          check(found)
          return { [name.slice("tls_".length)]: found }
        },
        catch: () => problem(name, `${file} contains no ${what} in PEM`)
      })
    )
  }
  const certificate = (found: string) => new X509Certificate(found)
  const options: TlsOptions = {
    ...(yield* pem("tls_ca", "certificate", certificate)),
    ...(yield* pem("tls_cert", "certificate", certificate)),
    ...(yield* pem("tls_key", "private key without a passphrase", createPrivateKey))
  }
  return yield* Effect.try({
    try: () => {
      createSecureContext(options)
      return options
    },
    catch: () => problem("tls_key", `${files.tls_key} is not the key of the certificate in ${files.tls_cert}`)
  })
})

const text = (name: Parameter, file: string): Effect.Effect<string, BadNatsAddress> =>
  Effect.tryPromise({
    try: () => fs.readFile(file, "utf8"),
    catch: (cause) => {
      const { code } = cause as NodeJS.ErrnoException
      return problem(
        name,
        code === "ENOENT" ? `there is no file ${file}` : `${file} cannot be read (${code}) by this process's user`
      )
    }
  })

const problem = (name: Parameter, words: string) => new BadNatsAddress({ problem: `${name}: ${words}` })
const bad = (name: Parameter, words: string) => Effect.fail(problem(name, words))
