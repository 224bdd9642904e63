/**
 * An annotation for fields that make sense only with another field: forms show such a field when the other one has one of the
 * values, and leave it out otherwise. It says nothing about what is valid; that is up to `validate`.
 *
 *     token: Schema.optionalKey(Schema.String.annotate({ description: "Token", ...shownWhen("authentication", ["bearer"]) }))
 */

import type { ShownWhen } from "@kanmon/domain/ShownWhen"

export { type ShownWhen, shownWhenOf } from "@kanmon/domain/ShownWhen"

/** The annotation to spread into the others of a field. It reaches the API as `x-shown-when` in the JSON Schema of the type. */
export const shownWhen = (field: string, values?: ShownWhen["values"]): { readonly shownWhen: ShownWhen } => ({
  shownWhen: values === undefined ? { field } : { field, values }
})
