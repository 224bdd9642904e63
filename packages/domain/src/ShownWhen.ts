/** When forms show a field of a plugin: an annotation that `@kanmon/core/ShownWhen` makes, and that plugins may get wrong. */
import { Option, Schema, SchemaAST } from "effect"

const ShownWhen = Schema.Struct({
  field: Schema.String,
  values: Schema.optionalKey(Schema.Array(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])))
})
/** The other field, and its values; without values, any that is not empty. */
export type ShownWhen = typeof ShownWhen.Type

const decode = Schema.decodeUnknownOption(ShownWhen)

/** The annotation of a field. An invalid annotation is ignored, because third-party plugins write them. */
export const shownWhenOf = ({ ast }: Schema.Constraint): ShownWhen | undefined => {
  // An annotation may come before or after checks, and on either side of a transformation.
  const places = [ast, SchemaAST.toEncoded(ast)].flatMap(({ annotations, checks = [] }) => [
    annotations,
    ...checks.map((check) => check.annotations)
  ])
  return places.flatMap((place) => Option.toArray(decode(place?.["shownWhen"])))[0]
}
