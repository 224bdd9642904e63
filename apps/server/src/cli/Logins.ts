/**
 * The logins of this computer's user: one token for each server, in a file that only they can read. The server that was signed
 * in to last is the default of commands that name none.
 */
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { Timestamp } from "@kanmon/domain/Timestamp"
import { Data, Effect, Schema } from "effect"
import { environment } from "../Settings.ts"

/** The command cannot do its work; the message says why, and what to do. */
export class LoginFailed extends Data.TaggedError("LoginFailed")<{ readonly message: string }> {}

const Login = Schema.Struct({ token: Schema.String, email: Schema.String, expiresAt: Timestamp })
export type Login = typeof Login.Type

const Logins = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(1),
    current: Schema.NullOr(Schema.String),
    servers: Schema.Record(Schema.String, Login)
  })
)
type Logins = typeof Logins.Type

const none: Logins = { version: 1, current: null, servers: {} }
const decode = Schema.decodeEffect(Logins)
const encode = Schema.encodeSync(Logins)

/** `$XDG_CONFIG_HOME/kanmon/logins.json`, usually `~/.config/kanmon/logins.json`. */
const file = (): string => {
  const { APPDATA, XDG_CONFIG_HOME } = environment()
  // The specification says to ignore relative paths.
  const chosen = [XDG_CONFIG_HOME, APPDATA].find((folder) => folder !== undefined && path.isAbsolute(folder))
  return path.join(chosen ?? path.join(os.homedir(), ".config"), "kanmon", "logins.json")
}

const attempt = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new LoginFailed({ message: `${file()}: ${cause instanceof Error ? cause.message : cause}` })
  })

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === "ENOENT"

/** All logins. */
export const read: Effect.Effect<Logins, LoginFailed> = Effect.gen(function* () {
  const text = yield* attempt(() =>
    fs.readFile(file(), "utf8").catch((cause: unknown) => (isMissing(cause) ? undefined : Promise.reject(cause)))
  )
  if (text === undefined) return none
  return yield* Effect.mapError(
    decode(text),
    () => new LoginFailed({ message: `${file()} was changed by something else; delete it and run kanmon login again` })
  )
})

/** Replaces the file atomically, so that other processes read a complete file, with access for this user alone. */
const write = (logins: Logins) =>
  attempt(async () => {
    const folder = path.dirname(file())
    await fs.mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = path.join(folder, `.logins-${randomUUID()}`)
    await fs.writeFile(draft, `${encode(logins)}\n`, { mode: 0o600, flag: "wx" })
    await fs.rename(draft, file())
  })

/** Keeps the login of a server, which becomes the default. */
export const keep = Effect.fnUntraced(function* (server: string, login: Login) {
  const { servers } = yield* read
  yield* write({ version: 1, current: server, servers: { ...servers, [server]: login } })
})

/** Forgets the login of a server. */
export const forget = Effect.fnUntraced(function* (server: string) {
  const { current, servers } = yield* read
  const { [server]: _, ...others } = servers
  yield* write({
    version: 1,
    current: current === server ? (Object.keys(others)[0] ?? null) : current,
    servers: others
  })
})

/** The address of a server, as logins are kept by it: without what does not matter. */
export const serverOf = (text: string): Effect.Effect<string, LoginFailed> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return Effect.fail(
      new LoginFailed({ message: `Expected an address such as https://kanmon.example.org instead of ${text}` })
    )
  return Effect.succeed(`${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "").replace(/\/api\/v1$/, "")}`)
}
