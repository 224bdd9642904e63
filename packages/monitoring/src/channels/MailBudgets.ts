/**
 * The mail budgets that a message of the installation uses. Mails that anybody can cause share budgets with each other,
 * and never with those that an account's owner depends on: recovery links and notifications of changes.
 */
import type { MailPurpose } from "@kanmon/identity/mails"
import type { Recipient, RecipientKind } from "@kanmon/core/Recipient"
import type { Rate } from "@kanmon/domain/Allowance"
import { dayMillis } from "@kanmon/domain/Timestamp"
import type { Claim } from "@kanmon/platform/database/Allowances"

const hourMillis = dayMillis / 24

/** Per recipient: fewer over a longer time. */
const few: ReadonlyArray<Rate> = [
  { limit: 3, periodMillis: hourMillis },
  { limit: 6, periodMillis: dayMillis }
]
const many: ReadonlyArray<Rate> = [
  { limit: 20, periodMillis: hourMillis },
  { limit: 60, periodMillis: dayMillis }
]

/** For the whole installation: many accounts could message many recipients, at the operator's cost. */
const installation: Readonly<Record<RecipientKind, Rate>> = {
  email: { limit: 1000, periodMillis: hourMillis },
  phone: { limit: 100, periodMillis: hourMillis }
}

/** The limit for one network, which protects the budget of the installation. */
const ofNetwork: Rate = { limit: 60, periodMillis: hourMillis }

export interface Letter {
  readonly purpose: MailPurpose
  readonly recipient: Recipient
  /** Whether the address is the verified one of an account. */
  readonly isVerified: boolean
  /** The network of the request; undefined without a network request. */
  readonly network: string | undefined
}

const each = (prefix: string, rates: ReadonlyArray<Rate>, name: string): ReadonlyArray<Claim> =>
  rates.map((rate) => ({ key: `${prefix}:${rate.periodMillis}:${name}`, rate }))

/** The budgets, with those of the installation and the network first. `digest` hides addresses. */
export const claimsOf = (
  { isVerified, network, purpose, recipient }: Letter,
  digest: (text: string) => string
): readonly [Claim, ...ReadonlyArray<Claim>] => {
  const exact = digest(recipient.address)
  // Every address `ops+anything@` reaches the mailbox. Unverified variants share one budget, apart from that of `ops@`.
  const isVariant = recipient.address !== recipient.counted && !isVerified
  if (purpose !== "asked" && !isVariant) {
    const [first, ...others] = purpose === "notice" ? each("own-notice", many, exact) : each("own-recovery", few, exact)
    return [first!, ...others]
  }
  return [
    { key: `own:${recipient.kind}`, rate: installation[recipient.kind] },
    ...(network === undefined ? [] : [{ key: `own-network:${digest(network)}`, rate: ofNetwork }]),
    ...(isVariant ? each("own-variants", few, digest(recipient.counted)) : each("own", few, exact))
  ]
}

/** Whether a budget is one that others use, too. */
export const isShared = ({ key }: Claim): boolean => /^own:(email|phone)$|^own-network:/.test(key)
