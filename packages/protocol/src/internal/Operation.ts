/** How the contract describes its operations for the OpenAPI document. */
import type { Context, Schema } from "effect"
import { OpenApi } from "effect/http-api"

/** What the OpenAPI document says of one operation beside its schemas. */
export interface Operation {
  /** The `operationId`: camelCase, unique in the document. */
  readonly id: string
  /** An imperative verb and a noun, at most five words. */
  readonly summary: string
  /** One to four sentences: what it does, side effects, limits, errors worth knowing. */
  readonly description: string
  /** An example of the request body, where there is one. */
  readonly request?: Schema.Json
  /** An example of the body of every successful response. */
  readonly response: Schema.Json
}

type Content = Readonly<Record<string, { readonly schema: unknown }>>
interface Message {
  readonly content?: Content
}

/** Annotations of an endpoint that put the description and the examples into the OpenAPI document. */
export const operation = ({ description, id, request, response, summary }: Operation): Context.Context<never> =>
  OpenApi.annotations({
    identifier: id,
    summary,
    description,
    transform: ({ requestBody, responses, ...rest }) => ({
      ...rest,
      ...(requestBody === undefined ? {} : { requestBody: withExample(requestBody, request) }),
      responses: Object.fromEntries(
        Object.entries<Message>(responses).map(([status, message]) => [
          status,
          status.startsWith("2") ? withExample(message, response) : message
        ])
      )
    })
  })

const withExample = (message: Message, example: Schema.Json | undefined): Message =>
  message.content === undefined || example === undefined
    ? message
    : {
        ...message,
        content: Object.fromEntries(
          Object.entries(message.content).map(([type, media]) => [type, { ...media, example }])
        )
      }
