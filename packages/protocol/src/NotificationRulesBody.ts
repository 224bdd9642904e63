/** Notification rules: by which of their contact methods a person is notified, and when, per severity. */
import { decodeStrict, type InvalidFields } from "@kanmon/domain/FieldErrors"
import { NotificationList, type NotificationLists, Reachable } from "@kanmon/domain/NotificationRules"
import { type Result, Schema } from "effect"
import * as Body from "./Body.ts"

const list = NotificationList.annotate({
  description: "In their order; a severity that is left out has the default, and an empty list sends nothing"
})

/** The body that replaces all rules. */
export const NotificationRulesRequest = Schema.Struct({
  critical: Schema.optionalKey(list),
  warning: Schema.optionalKey(list),
  info: Schema.optionalKey(list)
})

/** Decodes a body; every broken field is named. */
export const decodeRules: (body: unknown) => Result.Result<NotificationLists, InvalidFields> = Body.fit(
  decodeStrict(NotificationRulesRequest)
)

/** The rules in a response. */
export const NotificationRules = Schema.Struct({
  critical: NotificationList,
  warning: NotificationList,
  info: NotificationList,
  reachable: Reachable.annotate({
    description: "Whether critical alerts reach the person: `no`, by e-mail alone (`emailOnly`), or by more (`yes`)"
  })
}).annotate({ identifier: "NotificationRules" })
