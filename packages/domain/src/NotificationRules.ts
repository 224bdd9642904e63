/** Which contact methods a person is notified by, and when, per severity; and whether that reaches them. Pure. */
import { Schema } from "effect"
import { ContactMethodId } from "./Ids.ts"
import { Severity } from "./Severity.ts"

/** Most entries of one list. */
const most = 20
/** Latest minutes after the page: a day. */
const latest = 1440

/** One contact method in a list. */
export const NotificationEntry = Schema.Struct({
  afterMinutes: Schema.Int.check(
    Schema.isBetween({ minimum: 0, maximum: latest }, { message: `Expected minutes from 0 to ${latest}` })
  ).annotate({ description: "Minutes after the page; at least those of the entry before" }),
  contactMethodId: ContactMethodId
})
export type NotificationEntry = typeof NotificationEntry.Type

const ascending = Schema.makeFilter((entries: ReadonlyArray<NotificationEntry>) => {
  const early = entries.findIndex(
    ({ afterMinutes }, index) => index > 0 && afterMinutes < entries[index - 1]!.afterMinutes
  )
  return early < 0
    ? undefined
    : { path: [early, "afterMinutes"], issue: "Expected at least the minutes of the entry before" }
})

/** The methods of one severity, in their order. */
export const NotificationList = Schema.Array(NotificationEntry).check(
  Schema.isMaxLength(most, { message: `Expected at most ${most} entries` }),
  ascending
)

/** A severity without a list has the default. */
export type NotificationLists = Readonly<Partial<Record<Severity, ReadonlyArray<NotificationEntry>>>>

/** Whether somebody is reached by anything, by e-mail alone, or by more. */
export const Reachable = Schema.Literals(["no", "emailOnly", "yes"])
export type Reachable = typeof Reachable.Type

/** The fields of a contact method that decide whether it is used. */
export interface MethodOfPerson {
  readonly id: ContactMethodId
  /** Confirmed, and not switched off. */
  readonly isReady: boolean
  /** The e-mail address of the account. */
  readonly isAccount: boolean
}

/** The default of each severity: the verified e-mail address of the account, at once. */
export const defaultList = (methods: ReadonlyArray<MethodOfPerson>): ReadonlyArray<NotificationEntry> =>
  methods.flatMap(({ id, isAccount }) => (isAccount ? [{ afterMinutes: 0, contactMethodId: id }] : []))

/**
 * The entries that notify a person now: those with a ready method. A list without a ready method is replaced by the
 * default, so that a changed number does not leave the person without notifications. An empty list means that nothing
 * is sent.
 */
export const entriesFor = (
  lists: NotificationLists,
  severity: Severity,
  methods: ReadonlyArray<MethodOfPerson>
): ReadonlyArray<NotificationEntry> => {
  const ready = new Set(methods.flatMap(({ id, isReady }) => (isReady ? [id] : [])))
  const usable = (entries: ReadonlyArray<NotificationEntry>) =>
    entries.filter(({ contactMethodId }) => ready.has(contactMethodId))
  const own = lists[severity]
  if (own !== undefined && own.length === 0) return []
  const chosen = usable(own ?? [])
  return chosen.length > 0 ? chosen : usable(defaultList(methods))
}

/** Whether the critical alerts of a person reach them. */
export const reachableBy = <Method extends MethodOfPerson & { readonly isMail: boolean }>(
  lists: NotificationLists,
  methods: ReadonlyArray<Method>
): Reachable => {
  const entries = entriesFor(lists, "critical", methods)
  const mails = new Set(methods.flatMap(({ id, isMail }) => (isMail ? [id] : [])))
  if (entries.length === 0) return "no"
  return entries.every(({ contactMethodId }) => mails.has(contactMethodId)) ? "emailOnly" : "yes"
}

/** The severities with a list that names a method. */
export const usesOf = (lists: NotificationLists, id: ContactMethodId): ReadonlyArray<Severity> =>
  Severity.literals.filter(
    (severity) => lists[severity]?.some(({ contactMethodId }) => contactMethodId === id) === true
  )
