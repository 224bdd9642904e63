/** What `NATS_URL` says: which servers, whether TLS is a must, and who we are. Its errors never quote what they were given. */
import { Data, Effect, Redacted } from "effect"

/** The address is not understood, or says two things at once. Trying again cannot help. */
export class BadNatsAddress extends Data.TaggedError("BadNatsAddress")<{ readonly problem: string }> {
  override get message(): string {
    return `NATS_URL: ${this.problem}`
  }
}

export type Login = { readonly user: string; readonly pass: string } | { readonly token: string } | undefined

export interface NatsAddress {
  /** `host:port` of each server. */
  readonly servers: ReadonlyArray<string>
  /** Whether a server without TLS must be refused. */
  readonly tls: boolean
  readonly login: Redacted.Redacted<Login>
}

interface Server {
  readonly host: string
  readonly tls: boolean
  readonly login: Login
}

const bad = (problem: string) => Effect.fail(new BadNatsAddress({ problem }))

/** Reads `nats://host:port` or `tls://host:port`, several with commas; `user:password@` or `token@` may stand before the host. */
export const parse = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const read: ReadonlyArray<Server> = yield* Effect.forEach(Redacted.value(url).split(","), (one) =>
    parseOne(one.trim())
  )
  const first = read[0]!
  if (read.some(({ login }) => !same(login, first.login))) {
    return yield* bad("every server of the list needs the same user and password, or the same token")
  }
  if (read.some(({ tls }) => tls !== first.tls)) {
    return yield* bad("either every server of the list is tls:// or none is")
  }
  const address: NatsAddress = {
    servers: read.map(({ host }) => host),
    tls: first.tls,
    login: Redacted.make(first.login)
  }
  return address
})

const parseOne = Effect.fnUntraced(function* (text: string) {
  // Not `URL`: it cannot tell `user:@host` from `user@host`, that is, a user without a password from a token.
  const [, scheme = "nats", before, after] = /^(?:([^:/@]*):\/\/)?(?:(.*)@)?([^@]*)$/s.exec(text)!
  const kind = scheme.toLowerCase()
  if (kind !== "nats" && kind !== "tls") return yield* bad("expected nats:// or tls:// before the host")
  const host = after!.replace(/\/$/, "")
  if (!/^(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?$/i.test(host) || !URL.canParse(`http://${host}`)) {
    return yield* bad("expected host:port, and nothing behind it; a comma, @ or / within a password is written with %")
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
    catch: () => new BadNatsAddress({ problem: "the credentials before the host hold a % that is not an escape (%25)" })
  })
}

const same = (one: Login, other: Login): boolean => JSON.stringify(one) === JSON.stringify(other)
