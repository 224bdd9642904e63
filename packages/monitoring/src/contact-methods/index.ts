/** How people are reached: their contact methods, and what messages to them need. */
import * as ContactMethodsHandlers from "./ContactMethodsHandlers.ts"
import { ContactMethods } from "./ContactMethods.ts"

export { ContactMethodLeaseRepository, type LeasedContactMethod } from "./ContactMethodLeaseRepository.ts"
export { type ContactMethod, named } from "./ContactMethodRecords.ts"
export { ContactMethods } from "./ContactMethods.ts"
export * as EarlierContactMethods from "./EarlierContactMethods.ts"
export * as PersonNumbers from "./PersonNumbers.ts"

/** The services of this feature. */
export const layer = ContactMethods.layer

/** The operations of this feature. */
export const layerApi = ContactMethodsHandlers.layer
