/** With what `kanmon apply` and `pull` work: the key of a project or an organization in KANMON_API_KEY, or the login of `kanmon login` in one of its projects. */
import * as Remote from "@kanmon/as-code/Remote"
import type { Project } from "@kanmon/domain/Project"
import * as Client from "@kanmon/protocol/Client"
import { fileApplyAgent } from "@kanmon/protocol/Middleware"
import { ProjectId } from "@kanmon/domain/Ids"
import { Data, Effect, Option, Redacted, Schema, Stream } from "effect"
import { Flag } from "effect/cli"
import { environment } from "../Settings.ts"
import { loginAt, web } from "./Login.ts"
import * as Logins from "./Logins.ts"

/** The command cannot begin; the message says why. */
class Unusable extends Data.TaggedError("Unusable")<{ readonly message: string }> {}

export const url = Flag.String("url").pipe(
  Flag.withDescription(
    "URL of the installation; default: KANMON_URL, the one of kanmon login, or http://localhost:3000"
  ),
  Flag.optional
)

export const project = Flag.String("project").pipe(
  Flag.withDescription(
    "With kanmon login: the name or the id of the project; not needed when there is only one. With a key of an organization: the id"
  ),
  Flag.optional
)

const decodeProject = Schema.decodeOption(ProjectId)

/** How many projects a message names. */
const named = 20

export interface Given {
  readonly url: Option.Option<string>
  /** The name or the ID of a project. */
  readonly project: Option.Option<string>
}

const described = (projects: ReadonlyArray<Pick<Project, "id" | "name">>): string =>
  [
    ...projects.slice(0, named).map(({ id, name }) => `  ${id}  ${name}`),
    ...(projects.length > named ? [`  and ${projects.length - named} more`] : [])
  ].join("\n")

/** The project that a name or an ID means; the only one when nothing is named. */
const chosen = (
  projects: ReadonlyArray<Pick<Project, "id" | "name">>,
  given: Option.Option<string>
): Effect.Effect<Pick<Project, "id" | "name">, Unusable> => {
  const matching = Option.match(given, {
    onNone: () => projects,
    onSome: (text) => {
      const byId = projects.filter(({ id }) => id === text)
      return byId.length > 0 ? byId : projects.filter(({ name }) => name === text)
    }
  })
  const [first, second] = matching
  if (first !== undefined && second === undefined) return Effect.succeed(first)
  const message =
    first === undefined
      ? Option.match(given, {
          onNone: () => "You have no project here; make one in the dashboard",
          onSome: (text) => `You have no project ${text} here. Your projects:\n${described(projects)}`
        })
      : Option.match(given, {
          onNone: () => `Choose one of your projects with --project:\n${described(matching)}`,
          onSome: (text) => `Several projects are called ${text}; choose one by its ID:\n${described(matching)}`
        })
  return Effect.fail(new Unusable({ message }))
}

/** The address, and what is used there. */
export const find = Effect.fnUntraced(function* ({ project, url }: Given) {
  const key = environment()["KANMON_API_KEY"] ?? ""
  const current = key === "" ? (yield* Logins.read).current : null
  const address = Option.getOrElse(url, () => environment()["KANMON_URL"] ?? current ?? "http://localhost:3000")
  if (URL.parse(address)?.protocol.startsWith("http") !== true)
    return yield* new Unusable({
      message: `KANMON_URL, or --url: expected an address such as https://kanmon.example.org instead of ${address}`
    })
  if (key !== "") {
    if (key.startsWith("kmo_")) {
      const id = Option.flatMap(project, decodeProject)
      if (Option.isNone(id))
        return yield* new Unusable({
          message: "KANMON_API_KEY belongs to an organization: name one of its projects by its ID with --project prj_…"
        })
      return { url: address, layer: Remote.layer(address, { apiKey: Redacted.make(key), project: id.value }) }
    }
    if (Option.isSome(project))
      return yield* new Unusable({
        message: "KANMON_API_KEY belongs to one project already: leave --project out, or unset KANMON_API_KEY"
      })
    return { url: address, layer: Remote.layer(address, { apiKey: Redacted.make(key) }) }
  }
  const server = yield* Logins.serverOf(address)
  const { token } = yield* Effect.mapError(
    loginAt(server),
    ({ message }) => new Unusable({ message: `${message}; or set KANMON_API_KEY to the key of a project` })
  )
  const client = yield* Effect.provide(Client.make({ baseUrl: server, token, userAgent: fileApplyAgent }), web)
  const projects = yield* Effect.mapError(Stream.runCollect(Client.every(client.projects.list, {})), (error) =>
    Remote.explain(server, error, `run kanmon login --server ${server}`)
  )
  const { id } = yield* chosen(projects, project)
  return { url: server, layer: Remote.layer(server, { token: Redacted.make(token), project: id }) }
})
