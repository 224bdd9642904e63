/** Reasons of failures and of alerts in the reader's language. Knows no other text, so that pure code can use it. */
import { type Explanation, type ReasonCatalogue, type ReasonTimes, sentence } from "@kanmon/domain/ReasonText"

/** A reason as the server gives it: English, and what other languages make sentences of. */
interface Given {
  readonly message: string
  readonly explanation?: Explanation | null | undefined
}

let catalogue: ReasonCatalogue | undefined
let times: ReasonTimes = {}

/** From now on, reasons are sentences of this catalogue; without one they are English, as the server writes them. */
export const sayReasonsIn = (given: ReasonCatalogue | undefined): void => void (catalogue = given)

/** From now on, the instants in reasons are written so. */
export const writeReasonTimes = (given: ReasonTimes): void => void (times = given)

/** The sentence. What only a plugin can say is shown as it says it. */
export const reasonText = ({ explanation, message }: Given): string =>
  (catalogue === undefined || explanation == null ? undefined : sentence(catalogue, explanation, times)) ?? message
