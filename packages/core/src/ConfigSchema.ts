/** The types of the schemas with which plugins declare their fields. */
import type { Schema } from "effect"

/** A struct of plain fields: it needs no services, and its encoded form is JSON. */
export type StructOf<Fields extends Schema.Struct.Fields> = Schema.Struct<Fields> &
  Schema.ConstraintCodec<Schema.Struct<Fields>["Type"], Schema.JsonObject>

/** Such a struct as the host uses it, without the type of its fields. */
export interface ConfigSchema extends Schema.ConstraintDecoder<unknown> {
  readonly fields: Schema.Struct.Fields
}
