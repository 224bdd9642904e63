/** Parses `NATS_URL`: servers, TLS and login. Error messages never quote the input, which holds secrets. */
import { Data, Effect, Redacted } from "effect"

/** The address is invalid or contradictory. A retry cannot help. */
export class BadNatsAddress extends Data.TaggedError("BadNatsAddress")<{ readonly problem: string }> {
  override get message(): string {
    return `NATS_URL: ${this.problem}`
  }
}

type Login = { readonly user: string; readonly pass: string } | { readonly token: string } | undefined

/** The query parameters; each is the path of a file. `nkey` may also be the key itself. */
const parameters = ["nkey", "creds", "tls_ca", "tls_cert", "tls_key"] as const
export type Parameter = (typeof parameters)[number]
export type Files = Readonly<Partial<Record<Parameter, string>>>

export interface NatsAddress {
  /** `host:port` of each server. */
  readonly servers: ReadonlyArray<string>
  /** Whether servers without TLS are refused. */
  readonly tls: boolean
  readonly login: Redacted.Redacted<Login>
  readonly files: Files
}

interface Server {
  readonly host: string
  readonly tls: boolean
  readonly login: Login
}

const bad = (problem: string) => Effect.fail(new BadNatsAddress({ problem }))

/**
 * Parses `nats://host:port` or `tls://host:port`, several separated by commas. `user:password@` or `token@` may precede the
 * host; the query at the end names key and certificate files for all servers.
 */
export const parse = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const text = Redacted.value(url)
  const mark = text.indexOf("?")
  const files = mark < 0 ? {} : yield* filesOf(text.slice(mark + 1))
  const list = mark < 0 ? text : text.slice(0, mark)
  const read: ReadonlyArray<Server> = yield* Effect.forEach(list.split(","), (one) => parseOne(one.trim()))
  const first = read[0]!
  if (read.some(({ login }) => !same(login, first.login))) {
    return yield* bad("every server of the list needs the same user and password, or the same token")
  }
  if (read.some(({ tls }) => tls !== first.tls)) {
    return yield* bad("either every server of the list is tls:// or none is")
  }
  const ways = [first.login, files.nkey, files.creds].filter((way) => way !== undefined)
  if (ways.length > 1) {
    return yield* bad("use only one login: nkey, creds, or user and password before the host")
  }
  if ((files.tls_cert === undefined) !== (files.tls_key === undefined)) {
    return yield* bad("tls_cert and tls_key must be set together")
  }
  const address: NatsAddress = {
    servers: read.map(({ host }) => host),
    // Naming certificates implies TLS.
    tls: first.tls || files.tls_ca !== undefined || files.tls_cert !== undefined,
    login: Redacted.make(first.login),
    files
  }
  return address
})

const filesOf = Effect.fnUntraced(function* (text: string) {
  const files: { [Name in Parameter]?: string } = {}
  for (const part of text.replace(/\/$/, "").split("&")) {
    const equals = part.indexOf("=")
    const name = parameters.find((one) => one === part.slice(0, Math.max(equals, 0)))
    // Not quoted: it may be the second half of a password.
    if (name === undefined) {
      return yield* bad(
        `after the ? are ${parameters.join("=, ")}= with a file each, separated by &; write a ? within a password as %3F`
      )
    }
    const file = yield* Effect.try({
      try: () => decodeURIComponent(part.slice(equals + 1)),
      catch: () => new BadNatsAddress({ problem: `${name} contains a % that is not an escape (%25)` })
    })
    if (file === "") return yield* bad(`${name} needs the path of a file`)
    if (files[name] !== undefined) return yield* bad(`${name} occurs twice`)
    files[name] = file
  }
  return files
})

const parseOne = Effect.fnUntraced(function* (text: string) {
  // Not `URL`, which cannot tell `user:@host` (a user without a password) from `user@host` (a token).
  const [, scheme = "nats", before, after] = /^(?:([^:/@]*):\/\/)?(?:(.*)@)?([^@]*)$/s.exec(text)!
  const kind = scheme.toLowerCase()
  if (kind !== "nats" && kind !== "tls") return yield* bad("expected nats:// or tls:// before the host")
  const host = after!.replace(/\/$/, "")
  if (!/^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.test(host) || !URL.canParse(`http://${host}`)) {
    return yield* bad(
      "expected host:port, followed only by ?parameters; escape a comma, @, / or ? within a password with %"
    )
  }
  const server: Server = { host, tls: kind === "tls", login: yield* loginOf(before) }
  return server
})

const loginOf = (before: string | undefined): Effect.Effect<Login, BadNatsAddress> => {
  if (before === undefined || before === "") return Effect.succeed(undefined)
  const colon = before.indexOf(":")
  return Effect.try({
    try: (): Login =>
      colon < 0
        ? { token: decodeURIComponent(before) }
        : { user: decodeURIComponent(before.slice(0, colon)), pass: decodeURIComponent(before.slice(colon + 1)) },
    catch: () =>
      new BadNatsAddress({ problem: "the credentials before the host contain a % that is not an escape (%25)" })
  })
}

const same = (one: Login, other: Login): boolean => JSON.stringify(one) === JSON.stringify(other)
