/** Contact methods as the audit log shows them to their person: never where they lead. */
import type { AuditedChange } from "@kanmon/identity/audit"
import type { StoredContactMethod } from "./ContactMethodRecords.ts"

/** A person and the address of their account. */
export interface Person {
  readonly userId: StoredContactMethod["userId"]
  readonly email: string
}

type Shown = Pick<StoredContactMethod, "name" | "type"> & Partial<StoredContactMethod>

const fieldsOf = ({ confirmedAt = null, destination, name, type }: Shown): object => ({
  name,
  type,
  confirmed: confirmedAt !== null,
  destination
})

const concealed = "••••"

/** The change for the audit log, which belongs to the account alone. */
export const changeOf = (
  { email, userId }: Person,
  change: "added" | "changed" | "confirmed" | "deleted",
  before: Shown | undefined,
  after: Shown | undefined
): ReadonlyArray<AuditedChange> => [
  {
    action: `account.contact_method_${change}`,
    target: { id: userId, name: email },
    accountId: userId,
    before: before === undefined ? undefined : fieldsOf(before),
    after: after === undefined ? undefined : fieldsOf(after),
    conceal: (fields) => ("destination" in fields ? { ...fields, destination: concealed } : fields)
  }
]
