/** The people, teams and schedules of the organization by the names that files have for them. Pure. */
import { didYouMean } from "@kanmon/domain/Suggestion"
import type { Refusal } from "./ApplyPlan.ts"
import * as OnCall from "./OnCall.ts"
import type { Organization, Row } from "./Remote.ts"
import type { Wanted } from "./Resource.ts"

/** IDs by names: `user ada@example.org`, `team SRE`, `schedule primary`. */
export type Directory = ReadonlyMap<string, string>

/** Members, teams and schedules, as the API lists them. A schedule without a key is named by its ID. */
export const make = ({ members, teams }: Organization, schedules: ReadonlyArray<Row>): Directory =>
  new Map([
    ...members.map(({ email, userId }) => [`user ${email}`, userId] as const),
    ...teams.map(({ id, name }) => [`team ${String(name)}`, id] as const),
    ...schedules.map(({ id, key }) => [`schedule ${String(key ?? id)}`, id] as const)
  ])

/** The names by ID. */
export const namesIn = (directory: Directory): ReadonlyMap<string, string> =>
  new Map([...directory].map(([name, id]) => [id, name.slice(name.indexOf(" ") + 1)]))

/** The part of an address that names the person: that of the company is alike in all of them. */
const personOf = (address: string): string => address.slice(0, address.indexOf("@"))

const missing = {
  user: (name: string) => `The organization has no member with the address ${name}: invite them first`,
  team: (name: string) => `The organization has no team ${name}`,
  schedule: (name: string) => `There is no schedule ${name} in these files, and none with this key in the organization`
}

/** References of schedules and policies to people, teams and schedules that do not exist. */
export const objections = (wanted: ReadonlyArray<Wanted>, directory: Directory): ReadonlyArray<Refusal> => {
  const known = new Set([
    ...directory.keys(),
    ...wanted.flatMap(({ key, kind }) => (kind === "schedule" ? [`schedule ${key}`] : []))
  ])
  return wanted.flatMap(({ fields, key, kind }) =>
    kind !== "schedule" && kind !== "policy"
      ? []
      : OnCall.namedBy(fields).flatMap(({ kind: what, name, path }): ReadonlyArray<Refusal> => {
          if (what === "channel" || known.has(`${what} ${name}`)) return []
          const names = [...known].filter((one) => one.startsWith(`${what} `)).map((one) => one.slice(what.length + 1))
          const alike =
            what === "user" ? names.filter((one) => didYouMean(personOf(name), [personOf(one)]) !== "") : names
          return [{ kind, key, field: path, message: `${missing[what](name)}${didYouMean(name, alike)}` }]
        })
  )
}
