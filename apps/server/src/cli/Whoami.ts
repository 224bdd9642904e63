/**
 * `kanmon whoami`: as whom this computer's user is signed in at a server, and what they may do there; with KANMON_API_KEY, of
 * which project the key is that `kanmon apply` and `pull` use.
 */
import * as Remote from "@kanmon/as-code/Remote"
import type { Organization } from "@kanmon/domain/Organization"
import type { Project } from "@kanmon/domain/Project"
import * as Client from "@kanmon/protocol/Client"
import * as ProgramLogin from "@kanmon/protocol/ProgramLogin"
import { Console, Effect, Option, Redacted, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { environment } from "../Settings.ts"
import { chosen, failed, local, loginAt, server, userAgent, web } from "./Login.ts"
import * as Logins from "./Logins.ts"
import * as Table from "./Table.ts"

/** Organizations with their projects, without secrets: an administrator would otherwise read the projects' keys. */
const withProjects = (organizations: ReadonlyArray<Organization>, projects: ReadonlyArray<Project>) =>
  organizations.map(({ id, name, role }) => ({
    id,
    name,
    role,
    projects: projects
      .filter(({ organizationId }) => organizationId === id)
      .map((project) => ({ id: project.id, name: project.name, role: project.role }))
  }))

const shown = ({ id, name, projects, role }: ReturnType<typeof withProjects>[number]): ReadonlyArray<string> => [
  "",
  `${Table.plain(name)} (${id}): ${role}`,
  ...(projects.length === 0 ? ["  no project"] : []),
  // The role in a project is named where it was raised.
  ...projects.map(
    (project) => `  ${project.id}  ${Table.plain(project.name)}${project.role === role ? "" : ` (${project.role})`}`
  )
]

const ofKey = Effect.gen(function* () {
  const remote = yield* Remote.Remote
  // No call tells what a key is: the first rule names its project, which begins with one.
  const [rule] = yield* remote.list("rule")
  const id = rule?.["projectId"]
  return typeof id === "string" ? { id, name: yield* remote.projectName(id) } : null
})

/** The project of the key in KANMON_API_KEY, at the address where `apply` and `pull` use it. */
const byKey = Effect.fnUntraced(function* (given: Option.Option<string>, key: string) {
  const url = yield* Logins.serverOf(Option.getOrElse(given, () => environment()["KANMON_URL"] ?? local))
  const project = yield* Effect.mapError(
    Effect.provide(ofKey, Remote.layer(url, { apiKey: Redacted.make(key) })),
    ({ message }) =>
      new Logins.LoginFailed({ message: `KANMON_API_KEY is set, and used instead of a login: ${message}` })
  )
  return { url, project }
})

const keyShown = ({ project, url }: Effect.Success<ReturnType<typeof byKey>>): string =>
  [
    `The key in KANMON_API_KEY, ${project === null ? "of a project without records" : `of the project ${Table.plain(project.name)} (${project.id})`}`,
    `at ${url}. kanmon apply and pull use it instead of a login; unset KANMON_API_KEY to use your login.`
  ].join("\n")

/** Which organization it is, no call tells. */
const ofOrganization =
  "The key in KANMON_API_KEY belongs to an organization. kanmon apply and pull use it instead of a login, in the project that --project names; unset KANMON_API_KEY to use your login."

export const whoami = Command.make(
  "whoami",
  { server, json: Flag.Boolean("json").pipe(Flag.withDescription("Prints JSON"), Flag.withDefault(false)) },
  ({ json, server: given }) =>
    Effect.gen(function* () {
      const key = environment()["KANMON_API_KEY"] ?? ""
      if (key.startsWith("kmo_"))
        return yield* Console.log(json ? JSON.stringify({ key: { organization: true } }, undefined, 2) : ofOrganization)
      if (key !== "") {
        const used = yield* byKey(given, key)
        const text = json
          ? JSON.stringify({ server: used.url, key: { project: used.project } }, undefined, 2)
          : keyShown(used)
        return yield* Console.log(text)
      }
      const url = yield* chosen(given)
      const { token } = yield* loginAt(url)
      const found = yield* Effect.mapError(
        Effect.flatMap(ProgramLogin.make({ baseUrl: url, token, userAgent }), ({ session }) => session),
        failed(url)
      )
      if (found === null)
        return yield* new Logins.LoginFailed({
          message: `The login at ${url} has ended or was revoked; run kanmon login --server ${url}`
        })
      const { session, user } = found
      const client = yield* Client.make({ baseUrl: url, token, userAgent })
      const [organizations, projects] = yield* Effect.mapError(
        Effect.all([client.organizations.list(), Stream.runCollect(Client.every(client.projects.list, {}))], {
          concurrency: 2
        }),
        failed(url)
      )
      const all = withProjects(organizations, projects)
      if (json)
        return yield* Console.log(
          JSON.stringify(
            {
              server: url,
              account: { id: user.id, email: user.email, name: user.name },
              session: { id: session.id, name: session.name ?? null, expiresAt: session.expiresAt },
              organizations: all
            },
            undefined,
            2
          )
        )
      yield* Console.log(
        [
          `${user.email} (${Table.plain(user.name)})`,
          `at ${url}, until ${session.expiresAt.slice(0, 10)}, as the session "${Table.plain(session.name ?? session.id)}"`,
          ...(all.length === 0 ? ["", "You are a member of no organization here."] : all.flatMap(shown))
        ].join("\n")
      )
    }).pipe(Effect.provide(web))
).pipe(
  Command.withDescription("Shows as whom and where you are signed in, with your organizations, roles and projects")
)
