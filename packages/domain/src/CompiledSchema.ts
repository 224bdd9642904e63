/**
 * Decoders that are generated as code instead of being interpreted, which takes a fraction of the time. Only for what is
 * decoded for every check: generating takes time and memory. The schema is the truth either way.
 */
import type { Schema } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"

/** The same schema. Decoders of it that are made afterwards are generated, where the runtime permits that. */
export const compiled = <S extends Schema.Top>(schema: S): S => {
  SchemaJITCompiler.enable(schema.ast)
  return schema
}
