/** Contact methods and notification rules, as the API has them. */
import type { ContactMethod } from "@kanmon/protocol/ContactMethodBody"
import type { PageTest as PageTestSchema } from "@kanmon/domain/PageTest"
import type { NotificationRules } from "@kanmon/protocol/NotificationRulesBody"

export type Method = typeof ContactMethod.Encoded
export type Rules = typeof NotificationRules.Encoded
export type Entry = Rules["critical"][number]
export type PageTest = typeof PageTestSchema.Encoded
