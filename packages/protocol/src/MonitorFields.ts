/** The fields that monitors of every type have, and the rules between them. */
import type { FieldError } from "@kanmon/domain/FieldErrors"
import { visibleParts } from "@kanmon/domain/Line"
import { Interval, organizing, Period, Timeout } from "@kanmon/domain/Monitor"
import { GroupPath } from "@kanmon/domain/MonitorNotes"
import { Region } from "@kanmon/domain/Region"
import { Effect, Schema } from "effect"
import * as Body from "./Body.ts"

const defaultInterval = 60

/** The fields with their descriptions and defaults. */
export const commonFields = {
  key: Body.key,
  name: Body.name.annotate({ description: "Display name" }),
  interval: Interval.annotate({ description: "Seconds between checks" }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaultInterval))
  ),
  retryInterval: Schema.NullOr(
    Interval.annotate({
      description:
        "Seconds from a failed check to the next one, until there were as many failures as the alert rules of the monitor wait for (`consecutiveFailures`); then the interval applies again. At most the interval, and at least the plan's minimum"
    })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  timeout: Schema.optionalKey(Timeout),
  regions: Schema.Array(Region)
    .check(Schema.isMaxLength(100))
    .annotate({ description: "Set of regions that run the check; empty means all" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  paused: Schema.Boolean.annotate({ description: "A paused monitor is not checked" }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(false))
  ),
  tags: organizing.tags
    .annotate({
      description:
        "Set of at most 20 labels such as `prod` or `team:payments`, by which lists, rules, incidents and status pages select monitors"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  group: Schema.NullOr(GroupPath.check(visibleParts))
    .annotate({ description: "Path of at most four names, such as `Shop/Payments`; null means none" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  description: organizing.description
    .annotate({ description: "Instructions for a failure, in Markdown; at most 4096 bytes. Null means none" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  links: organizing.links
    .annotate({ description: "At most 10 links to runbooks, dashboards and the like" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  dependsOn: organizing.dependsOn
    .annotate({
      description:
        "Set of at most 10 monitors of the project that this one cannot work without. A deleted monitor is removed from it"
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
}

/** The same of monitors that wait for signals, which may come once a year. */
export const passiveFields = {
  ...commonFields,
  interval: Period.annotate({
    description: "Seconds between the signals of the job, from 10 seconds to 366 days"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultInterval)))
}

/** The common fields as monitors of this kind have them. `passive` is present for kinds that wait for signals. */
export const commonFieldsOf = ({ passive }: { readonly passive?: unknown }): typeof commonFields =>
  passive === undefined ? commonFields : passiveFields

/** The problems of fields that do not fit together, or name a region that does not exist. */
export const commonProblems = (
  fields: {
    readonly interval: number
    readonly retryInterval: number | null
    readonly timeout?: number
    readonly regions: ReadonlyArray<string>
  },
  knownRegions: ReadonlyArray<string>,
  passive: boolean
): ReadonlyArray<FieldError> => [
  ...(passive && fields.regions.length > 0
    ? [{ path: "regions", message: "This type waits for signals; it is not run in regions" }]
    : []),
  ...(passive && fields.retryInterval !== null
    ? [{ path: "retryInterval", message: "This type waits for signals; there is no check to repeat" }]
    : []),
  ...(fields.retryInterval !== null && fields.retryInterval > fields.interval
    ? [{ path: "retryInterval", message: `Expected at most the interval, ${fields.interval} seconds` }]
    : []),
  ...(fields.timeout !== undefined && fields.timeout > fields.interval
    ? [{ path: "timeout", message: `Expected at most the interval, ${fields.interval} seconds` }]
    : []),
  ...fields.regions.flatMap((region, index) =>
    knownRegions.includes(region)
      ? []
      : [
          {
            path: `regions[${index}]`,
            message: `There is no region ${region}; there are ${knownRegions.join(", ") || "none yet"}`
          }
        ]
  )
]
