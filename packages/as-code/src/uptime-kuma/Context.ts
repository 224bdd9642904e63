/** The inputs for the conversion of monitors. */
import type { Check } from "@kanmon/core/Check"
import type { Kinds } from "../Decoding.ts"
import type { Groups } from "./Groups.ts"

export interface Context {
  readonly kinds: Kinds
  readonly groups: Groups
  /** Days before the expiry of a certificate and of a domain at which the first notice is sent; 0 means none. */
  readonly certificateDays: number
  readonly domainDays: number
}

/** Whether a loaded check has a field: the import uses what the checks of this installation can do. */
export const hasField = (check: Check | undefined, field: string): boolean =>
  Object.hasOwn(check?.config.fields ?? {}, field)
