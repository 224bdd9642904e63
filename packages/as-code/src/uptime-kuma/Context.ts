/** What monitors are converted with. */
import type { Check } from "@kanmon/core/Check"
import type { Kinds } from "../Decoding.ts"
import type { Groups } from "./Groups.ts"

export interface Context {
  readonly kinds: Kinds
  readonly groups: Groups
  /** Days before the expiry of a certificate and of a domain at which notices are sent; undefined if unknown. */
  readonly certificateDays: number | undefined
  readonly domainDays: number | undefined
}

/** Whether a loaded check has a field: the import uses what the checks of this installation can do. */
export const hasField = (check: Check | undefined, field: string): boolean =>
  Object.hasOwn(check?.config.fields ?? {}, field)
