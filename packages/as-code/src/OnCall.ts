/** Schedules and policies in files: people by their e-mail addresses, teams by their names, schedules and channels by their keys. */
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import * as EscalationPolicyBody from "@kanmon/protocol/EscalationPolicyBody"
import { isObject } from "@kanmon/protocol/JsonSchema"
import * as ScheduleBody from "@kanmon/protocol/ScheduleBody"
import { Result, type Schema } from "effect"
import { type Fields, filled } from "./Resource.ts"

/** The names of targets in files, and their fields in the API. */
const targets = { schedule: "scheduleId", user: "userId", team: "teamId", channel: "channelId" } as const
type TargetName = keyof typeof targets

const targetNames = Object.keys(targets) as ReadonlyArray<TargetName>
const prefixes: Readonly<Record<TargetName, string>> = { schedule: "sch", user: "usr", team: "team", channel: "ch" }

/** An ID in the place of a name: the schemas of the API know nothing of names. */
const placeholder = (kind: TargetName, names: Map<string, string>, name: string): string => {
  const id = `${prefixes[kind]}_${String(names.size).padStart(26, "0")}`
  names.set(id, name)
  return id
}

const addressOf = (name: string): string => (name.includes("@") ? normalizeEmail(name) : name)

/** The value with each part below a path replaced. */
const mapped = (list: unknown, change: (item: Readonly<Record<string, unknown>>) => unknown): unknown =>
  Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? change(item) : item)) : list

const renamed = (errors: ReadonlyArray<FieldError>): InvalidFields =>
  new InvalidFields({
    errors: errors.map(({ message, path }) => ({ path: inFile(path), message: spoken(message) }))
  })

/** The path in files of a field of the API. */
export const inFile = (path: string): string =>
  path.replace(/(\.participants\[\d{1,6}\])\.userId$/, "$1").replace(/\.(schedule|user|team|channel)Id$/, ".$1")

const spoken = (message: string): string =>
  message
    .replace(
      "Expected exactly one of scheduleId, userId, teamId, channelId",
      "Expected exactly one of schedule, user, team, channel"
    )
    .replace("`position` needs `scheduleId`", "`position` needs `schedule`")

/** The fields of a schedule. */
export const schedule = (
  key: string,
  value: Readonly<Record<string, unknown>>
): Result.Result<Fields, InvalidFields> => {
  const names = new Map<string, string>()
  const own: Array<FieldError> = []
  const layers = Array.isArray(value["layers"])
    ? value["layers"].map((layer: unknown, at) =>
        isObject(layer) && Array.isArray(layer["participants"])
          ? {
              ...layer,
              participants: layer["participants"].map((person: unknown, index) => {
                if (typeof person === "string" && person.includes("@"))
                  return { userId: placeholder("user", names, normalizeEmail(person)) }
                own.push({
                  path: `layers[${at}].participants[${index}]`,
                  message: "Expected the e-mail address of a member"
                })
                return { userId: placeholder("user", names, "") }
              })
            }
          : layer
      )
    : value["layers"]
  const decoded = ScheduleBody.decode({ name: key, ...value, ...(layers === undefined ? {} : { layers }) })
  if (Result.isFailure(decoded)) return Result.fail(renamed([...own, ...decoded.failure.errors]))
  if (own.length > 0) return Result.fail(renamed(own))
  const { coverage, layers: read, name, timezone } = decoded.success
  return Result.succeed({
    name,
    timezone,
    ...filled({ coverage: plain(coverage) }),
    layers: plain(
      read.map(({ name, participants, ...layer }) => ({
        name,
        participants: participants.map(({ userId }) => names.get(userId) ?? userId),
        ...layer
      }))
    )
  })
}

/** Decoded values that are JSON: their fields have no other form. */
const plain = (value: unknown): Schema.Json => JSON.parse(JSON.stringify(value)) as Schema.Json

/** The fields of a policy. */
export const policy = (key: string, value: Readonly<Record<string, unknown>>): Result.Result<Fields, InvalidFields> => {
  const names = new Map<string, string>()
  const target = (given: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(
      Object.entries(given).map(([field, name]) => {
        const kind = targetNames.find((one) => one === field)
        if (kind === undefined) return [field in apiNames ? `${field} ` : field, name]
        return [
          targets[kind],
          typeof name === "string" && name !== "" ? placeholder(kind, names, addressOf(name)) : name
        ]
      })
    )
  const { onExhausted, steps } = value
  const body = {
    name: key,
    ...value,
    ...(steps === undefined
      ? {}
      : {
          steps: mapped(steps, (step) => ({
            ...step,
            ...("notify" in step ? { notify: mapped(step["notify"], target) } : {})
          }))
        }),
    ...(isObject(onExhausted) ? { onExhausted: target(onExhausted) } : {})
  }
  return Result.map(
    Result.mapError(EscalationPolicyBody.decode(body), ({ errors }) => renamed(errors)),
    (draft) => {
      const written = (one: Readonly<Record<string, unknown>>): Schema.Json =>
        plain(
          Object.fromEntries(
            Object.entries(one).map(([field, id]) => {
              const kind = targetNames.find((name) => targets[name] === field)
              return kind === undefined ? [field, id] : [kind, names.get(String(id)) ?? id]
            })
          )
        )
      return {
        name: draft.name,
        steps: draft.steps.map(({ afterMinutes, notify }) => ({ afterMinutes, notify: notify.map(written) })),
        repeat: draft.repeat,
        repeatAfterMinutes: draft.repeatAfterMinutes,
        ...filled({
          acknowledgeTimeoutMinutes: draft.acknowledgeTimeoutMinutes,
          onExhausted: draft.onExhausted === null ? null : written(draft.onExhausted)
        })
      }
    }
  )
}

const apiNames: Readonly<Record<string, true>> = { scheduleId: true, userId: true, teamId: true, channelId: true }

/** Something that a schedule or a policy names, and where. */
export interface Naming {
  readonly kind: TargetName
  readonly name: string
  readonly path: string
}

interface Target {
  readonly [field: string]: Schema.Json
}

interface Step {
  readonly notify: ReadonlyArray<Target>
}

interface Layer {
  readonly participants: ReadonlyArray<string>
}

/** Everything that the decoded fields of a schedule or a policy name. */
export const namedBy = ({ layers = [], onExhausted = null, steps = [] }: Fields): ReadonlyArray<Naming> => {
  const inTarget = (target: Target, path: string): ReadonlyArray<Naming> =>
    targetNames.flatMap((kind) => {
      const name = target[kind]
      return typeof name === "string" ? [{ kind, name, path: `${path}.${kind}` }] : []
    })
  return [
    ...(layers as unknown as ReadonlyArray<Layer>).flatMap(({ participants }, layer) =>
      participants.map((name, index): Naming => ({
        kind: "user",
        name,
        path: `layers[${layer}].participants[${index}]`
      }))
    ),
    ...(steps as unknown as ReadonlyArray<Step>).flatMap(({ notify }, step) =>
      notify.flatMap((target, index) => inTarget(target, `steps[${step}].notify[${index}]`))
    ),
    ...(onExhausted === null ? [] : inTarget(onExhausted as unknown as Target, "onExhausted"))
  ]
}

interface StoredLayer {
  readonly name: string
  readonly participants: ReadonlyArray<{ readonly userId: string }>
}

type NameOf = (kind: TargetName, name: string) => string

const withTarget = (target: Target, from: "files" | "api", nameOf: NameOf): Target =>
  Object.fromEntries(
    Object.entries(target).map(([field, value]) => {
      const kind = targetNames.find((one) => (from === "files" ? one : targets[one]) === field)
      return kind === undefined
        ? [field, value]
        : [from === "files" ? targets[kind] : kind, nameOf(kind, String(value))]
    })
  )

/** A field of a schedule or a policy in the form of the API. */
export const sent = (field: string, value: Schema.Json, idOf: NameOf): Schema.Json => {
  if (value === null) return null
  if (field === "layers")
    return (value as unknown as ReadonlyArray<Layer>).map(({ participants, ...layer }) => ({
      ...layer,
      participants: participants.map((name) => ({ userId: idOf("user", name) }))
    }))
  if (field === "steps")
    return (value as unknown as ReadonlyArray<Step>).map(({ notify, ...step }) => ({
      ...step,
      notify: notify.map((target) => withTarget(target, "files", idOf))
    }))
  return field === "onExhausted" ? withTarget(value as unknown as Target, "files", idOf) : value
}

/** The fields of a schedule of the API in the form of files. */
export const scheduleRead = ({ coverage = null, layers, name, timezone }: Fields, nameOf: NameOf): Fields => ({
  name: name!,
  timezone: timezone!,
  ...filled({ coverage }),
  layers: (layers as unknown as ReadonlyArray<StoredLayer>).map(({ name, participants, ...layer }) => ({
    name,
    participants: participants.map(({ userId }) => nameOf("user", userId)),
    ...layer
  }))
})

/** The fields of a policy of the API in the form of files. */
export const policyRead = (
  { acknowledgeTimeoutMinutes = null, name, onExhausted = null, repeat, repeatAfterMinutes, steps }: Fields,
  nameOf: NameOf
): Fields => ({
  name: name!,
  steps: (steps as unknown as ReadonlyArray<Step>).map(({ notify, ...step }) => ({
    ...step,
    notify: notify.map((target) => withTarget(target, "api", nameOf))
  })),
  repeat: repeat!,
  repeatAfterMinutes: repeatAfterMinutes!,
  ...filled({
    acknowledgeTimeoutMinutes,
    onExhausted: onExhausted === null ? null : withTarget(onExhausted as unknown as Target, "api", nameOf)
  })
})
