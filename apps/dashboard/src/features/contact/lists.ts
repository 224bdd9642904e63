/** Lists of contact methods: which are passed over, and what a change of rules sends. Pure. */
import type { Severity } from "@kanmon/domain/Severity"
import type { Entry, Method, Rules } from "./types.ts"

type Lists = Pick<Rules, Severity>

/** Whether messages are sent there. */
export const isReady = ({ confirmedAt, disabledReason }: Method): boolean =>
  confirmedAt !== null && disabledReason === null

/** Where it leads: the first value of its configuration that is no masked secret. */
export const destinationOf = ({ config }: Method): string | undefined =>
  Object.values(config)
    .flat()
    .find((value): value is string => typeof value === "string" && value !== "" && !value.startsWith("••••"))

/** The methods of one moment, in the order of the list. */
export const groupsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<readonly [number, ReadonlyArray<string>]> => {
  const groups = new Map<number, Array<string>>()
  for (const { afterMinutes, contactMethodId } of entries)
    groups.set(afterMinutes, [...(groups.get(afterMinutes) ?? []), contactMethodId])
  return [...groups]
}

/** The methods of a list to which nothing is sent yet, or no longer. */
export const notReady = (entries: ReadonlyArray<Entry>, methods: ReadonlyArray<Method>): ReadonlyArray<Method> =>
  methods.filter((method) => !isReady(method) && entries.some(({ contactMethodId }) => contactMethodId === method.id))

/** Confirmed methods that no entry of a list uses; e-mail counts only where nothing reaches the person. */
export const unused = (
  { critical, reachable }: Pick<Rules, "critical" | "reachable">,
  methods: ReadonlyArray<Method>
): ReadonlyArray<Method> =>
  reachable === "yes"
    ? []
    : methods.filter(
        (method) =>
          isReady(method) &&
          (reachable === "no" || method.type !== "email") &&
          !critical.some(({ contactMethodId }) => contactMethodId === method.id)
      )

/** Whether a list is what a severity without rules has. */
const isDefault = (entries: ReadonlyArray<Entry>, methods: ReadonlyArray<Method>): boolean =>
  entries.length === 1 &&
  entries[0]!.afterMinutes === 0 &&
  methods.some(({ id, isAccount }) => isAccount && id === entries[0]!.contactMethodId)

/** All rules with those of one severity replaced: lists like the default are left out, and stay the default. */
export const withList = (
  rules: Lists,
  severity: Severity,
  entries: ReadonlyArray<Entry>,
  methods: ReadonlyArray<Method>
): Partial<Record<Severity, ReadonlyArray<Entry>>> => {
  const { critical, info, warning } = rules
  return Object.fromEntries(
    Object.entries({ critical, warning, info, [severity]: entries }).filter(([, list]) => !isDefault(list, methods))
  )
}
