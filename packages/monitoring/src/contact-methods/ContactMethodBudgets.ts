/**
 * How many codes and tests are sent: a budget of its own, which no one uses up by other messages. Per number and account it is
 * told; over all accounts it is not, since that would tell who else has entered a number. Pure.
 */
import type { RecipientKind } from "@kanmon/core/Recipient"
import type { Rate } from "@kanmon/domain/Allowance"
import type { UserId } from "@kanmon/domain/Ids"
import { dayMillis } from "@kanmon/domain/Timestamp"
import type { Claim } from "@kanmon/platform/database/Allowances"

const perNumber: Rate = { limit: 3, periodMillis: dayMillis }
const perAccount: Rate = { limit: 10, periodMillis: dayMillis }
const hour = dayMillis / 24
/** For the whole installation: many accounts could message many numbers, at the operator's cost. */
const installation: Readonly<Record<RecipientKind, Rate>> = {
  email: { limit: 1000, periodMillis: hour },
  phone: { limit: 100, periodMillis: hour }
}
/** The limit for one network, which protects the budget of the installation. */
const perNetwork: Rate = { limit: 60, periodMillis: hour }

/** One code or one test. `destination` is the hash of where it goes. */
export interface Sent {
  readonly userId: UserId
  readonly destination: string
  /** For types that send at the operator's cost. */
  readonly kind: RecipientKind | undefined
  /** The hash of the network from which it was asked for. */
  readonly network: string | undefined
}

/** The budgets of which the caller is told. */
export const toldClaims = ({ destination, kind, network, userId }: Sent): readonly [Claim, ...ReadonlyArray<Claim>] => [
  { key: `methods:${userId}`, rate: perAccount },
  { key: `methods:${userId}:${destination}`, rate: perNumber },
  ...(network === undefined ? [] : [{ key: `methods-network:${network}`, rate: perNetwork }]),
  ...(kind === undefined ? [] : [{ key: `methods:${kind}`, rate: installation[kind] }])
]

const pageTests: Rate = { limit: 5, periodMillis: dayMillis }

/** The budgets of one page test, which sends a message to each method of the person's list. Codes have a budget of their own. */
export const pageTestClaims = (
  userId: UserId,
  kinds: ReadonlyArray<RecipientKind>,
  network: string | undefined
): readonly [Claim, ...ReadonlyArray<Claim>] => [
  { key: `page-tests:${userId}`, rate: pageTests },
  ...(network === undefined ? [] : [{ key: `methods-network:${network}`, rate: perNetwork }]),
  ...[...new Set(kinds)].map((kind) => ({ key: `methods:${kind}`, rate: installation[kind] }))
]

/** The budget of a number over all accounts. */
export const numberClaim = ({ destination }: Pick<Sent, "destination">): readonly [Claim] => [
  { key: `methods-number:${destination}`, rate: perNumber }
]

/** A budget in words. */
export const inWords = ({ key, rate }: Claim): string =>
  key.startsWith("page-tests:")
    ? `${rate.limit} page tests a day for one account`
    : key.startsWith("methods:usr_")
      ? `${rate.limit} codes and tests a day ${key.split(":").length > 2 ? "to one contact method" : "for one account"}`
      : `${rate.limit} codes and tests an hour from ${key.startsWith("methods-network:") ? "one network" : "this installation"}`
