/** `kanmon login` and `logout`: the account of this computer's user at a server, for the commands that use its API. */
import { spawn } from "node:child_process"
import * as os from "node:os"
import * as Remote from "@kanmon/as-code/Remote"
import { version } from "@kanmon/platform/version"
import { toIso } from "@kanmon/domain/Timestamp"
import type { KanmonError } from "@kanmon/protocol/KanmonError"
import * as ProgramLogin from "@kanmon/protocol/ProgramLogin"
import { Clock, Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { environment } from "../Settings.ts"
import * as Logins from "./Logins.ts"

const clientId = "kanmon-cli"
export const userAgent = `kanmon-cli/${version}`

/** Redirects are not followed, because they would receive the token. */
export const web = Layer.provide(
  FetchHttpClient.layer,
  Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" } satisfies RequestInit)
)

export const server = Flag.String("server").pipe(
  Flag.withDescription(
    "URL of the installation; default: KANMON_URL, the one signed in to last, or http://localhost:3000"
  ),
  Flag.optional
)

/** The server where none is named. */
export const local = "http://localhost:3000"

/** The server that a command is about. */
export const chosen = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const { current } = yield* Logins.read
  return yield* Logins.serverOf(Option.getOrElse(given, () => environment()["KANMON_URL"] ?? current ?? local))
})

/** The login at a server, or what to do about there being none. */
export const loginAt = Effect.fnUntraced(function* (url: string) {
  const { servers } = yield* Logins.read
  const login = servers[url]
  if (login === undefined) {
    const others = Object.keys(servers)
    return yield* new Logins.LoginFailed({
      message: [
        `You are not signed in to ${url}; run kanmon login --server ${url}`,
        ...(others.length === 0 ? [] : [`You are signed in to ${others.join(", ")}`])
      ].join(". ")
    })
  }
  if (login.expiresAt <= (yield* Clock.currentTimeMillis))
    return yield* new Logins.LoginFailed({
      message: `The login at ${url} ended on ${toIso(login.expiresAt).slice(0, 10)}; run kanmon login --server ${url}`
    })
  return login
})

export const failed = (url: string) => (error: KanmonError) =>
  new Logins.LoginFailed({ message: Remote.explain(url, error, `run kanmon login --server ${url}`).message })

/** Opens the address in a browser, where there is one; nothing depends on it. */
const open = (address: string) =>
  Effect.sync(() => {
    const { CI, DISPLAY, SSH_CONNECTION, WAYLAND_DISPLAY } = environment()
    if (!process.stdout.isTTY || CI !== undefined || SSH_CONNECTION !== undefined) return
    const commands: Partial<Record<NodeJS.Platform, ReadonlyArray<string>>> = {
      darwin: ["open"],
      win32: ["rundll32", "url.dll,FileProtocolHandler"],
      ...(DISPLAY === undefined && WAYLAND_DISPLAY === undefined ? {} : { linux: ["xdg-open"] })
    }
    const [command, ...args] = commands[process.platform] ?? []
    if (command === undefined) return
    const browser = spawn(command, [...args, address], { stdio: "ignore", detached: true })
    browser.on("error", () => {})
    browser.unref()
  })

const endings: Readonly<Record<string, string>> = {
  access_denied: "The request was refused in the browser",
  expired_token: "The code was not approved in time; run kanmon login again",
  authorization_pending: "The code was not approved in time; run kanmon login again"
}

export const login = Command.make(
  "login",
  {
    server,
    browser: Flag.Boolean("browser").pipe(
      Flag.withDescription("Opens the address in a browser; --no-browser only prints it"),
      Flag.withDefault(true)
    )
  },
  ({ browser, server: given }) =>
    Effect.gen(function* () {
      const url = yield* chosen(given)
      if (url.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
        yield* Console.error(`${url} is not encrypted: others on the network can read your token.`)
      // The name of the computer, without characters that headers or lists cannot show.
      const deviceName = `kanmon on ${os.hostname()}`.replaceAll(/\p{Cc}/gu, "").slice(0, 100)
      const client = yield* ProgramLogin.make({ baseUrl: url, userAgent })
      const codes = yield* Effect.mapError(client.start({ clientId, deviceName }), failed(url))
      const address = codes.verification_uri_complete
      if (!/^https?:\/\/[^\s\p{Cc}]+$/u.test(address) || !/^[\w-]{1,40}$/.test(codes.user_code))
        return yield* new Logins.LoginFailed({ message: `${url} gave an address that is none` })
      yield* Console.log(
        [
          `Open ${address}`,
          `and approve the code ${codes.user_code}, if it is the one that you see there.`,
          "",
          "Waiting for that; Ctrl-C gives up."
        ].join("\n")
      )
      if (browser) yield* open(address)
      const { access_token: token, expires_in } = yield* Effect.mapError(
        client.token({ clientId, deviceName }, codes),
        (error) => {
          const ending = endings[error.code]
          return ending === undefined ? failed(url)(error) : new Logins.LoginFailed({ message: ending })
        }
      )
      const signedIn = yield* ProgramLogin.make({ baseUrl: url, token, userAgent })
      const found = yield* Effect.mapError(signedIn.session, failed(url))
      if (found === null) return yield* new Logins.LoginFailed({ message: "The login was ended at once" })
      const before = (yield* Logins.read).servers[url]
      const expiresAt = (yield* Clock.currentTimeMillis) + expires_in * 1000
      yield* Logins.keep(url, { token, email: found.user.email, expiresAt })
      // The session that this one replaces would stay open.
      if (before !== undefined)
        yield* Effect.ignore((yield* ProgramLogin.make({ baseUrl: url, token: before.token, userAgent })).signOut)
      yield* Console.log(`You are signed in to ${url} as ${found.user.email}.`)
    }).pipe(Effect.provide(web))
).pipe(
  Command.withDescription("Signs you in to a server, for kanmon apply and whoami: you approve it in the browser"),
  Command.withExamples([{ command: "kanmon login --server https://kanmon.example.org", description: "Signs you in" }])
)

export const logout = Command.make("logout", { server }, ({ server: given }) =>
  Effect.gen(function* () {
    const url = yield* chosen(given)
    const login = (yield* Logins.read).servers[url]
    if (login === undefined) return yield* Console.log(`You are not signed in to ${url}.`)
    const client = yield* ProgramLogin.make({
      baseUrl: url,
      token: login.token,
      userAgent,
      retries: 0,
      timeout: "10 seconds"
    })
    const ended = yield* Effect.result(client.signOut)
    yield* Logins.forget(url)
    if (ended._tag === "Failure")
      yield* Console.error(
        `The session could not be ended at the server (${failed(url)(ended.failure).message}); end it there, in the list of your sessions.`
      )
    yield* Console.log(`You are signed out of ${url}.`)
  }).pipe(Effect.provide(web))
).pipe(Command.withDescription("Ends the session of kanmon login and forgets its token"))
