/** Request bodies of the OpenAPI document. */
import { type Json, object } from "../JsonSchema.ts"
import { ByMediaType, type Operation } from "./Operation.ts"

/** Every media type with its example. */
export const withExamples = (content: Json, example: Operation["request"]): Json =>
  Object.fromEntries(
    Object.entries(content).map(([mediaType, media]) => {
      const shown = example instanceof ByMediaType ? example.examples[mediaType] : example
      return [mediaType, shown === undefined ? media : { ...object(media), example: shown }]
    })
  )

/** The body with its examples, and whether it has to be sent. */
export const requestBody = (body: Json, { optionalBody, request }: Operation): Json => ({
  ...body,
  content: withExamples(object(body["content"]), request),
  required: optionalBody !== true
})
