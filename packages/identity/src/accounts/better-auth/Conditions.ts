/** Conditions on records. */
import type { Where } from "../../users/index.ts"

const condition =
  (operator: Where["operator"]) =>
  (field: string, value: unknown): Where => ({ field, operator, value, connector: "AND", insensitive: false })

/** The field has the value. */
export const is = condition("eq")

/** The field is later, or greater. */
export const isAfter = condition("gt")
