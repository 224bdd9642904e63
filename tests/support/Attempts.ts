/** Attempts of channels without recipients, as the deliverer stores them. */
import { type Attempt, attempt, type Tried } from "@kanmon/monitoring/testing/delivery/DeliveryRecords.ts"

export const tried = (at: number, outcome: Attempt["outcome"], detail: string): Tried => ({
  attempt: attempt(at, at + 5, outcome, detail),
  progress: [],
  detail,
  at
})
