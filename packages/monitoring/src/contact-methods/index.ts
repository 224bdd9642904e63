/** How people are reached: their contact methods, and what messages to them need. */
import { Layer } from "effect"
import * as ContactMethodsHandlers from "./ContactMethodsHandlers.ts"
import { ContactMethods } from "./ContactMethods.ts"
import { NotificationRules } from "./NotificationRules.ts"
import * as NotificationRulesHandlers from "./NotificationRulesHandlers.ts"
import { PersonalQuietHours } from "./PersonalQuietHours.ts"
import * as QuietHoursHandlers from "./QuietHoursHandlers.ts"

export { ContactMethodLeaseRepository, type LeasedContactMethod } from "./ContactMethodLeaseRepository.ts"
export * as ContactMethodMessages from "./ContactMethodMessages.ts"
export { type ContactMethod, named, type StoredContactMethod } from "./ContactMethodRecords.ts"
export * as MembersReached from "./MembersReached.ts"
export { ContactMethods } from "./ContactMethods.ts"
export * as EarlierContactMethods from "./EarlierContactMethods.ts"
export { entriesOf, NotificationRules } from "./NotificationRules.ts"
export { PersonalQuietHours } from "./PersonalQuietHours.ts"
export * as PersonNumbers from "./PersonNumbers.ts"
export * as Reach from "./Reach.ts"

/** The services of this feature. */
export const layer = Layer.mergeAll(ContactMethods.layer, NotificationRules.layer, PersonalQuietHours.layer)

/** The operations of this feature. */
export const layerApi = Layer.mergeAll(
  ContactMethodsHandlers.layer,
  NotificationRulesHandlers.layer,
  QuietHoursHandlers.layer
)
