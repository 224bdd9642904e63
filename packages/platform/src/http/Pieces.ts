/** Answers that are sent in pieces, each as it is, with their length: nothing joins them to one large text. */
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"

export const respond = (
  pieces: ReadonlyArray<Uint8Array>,
  options: { readonly contentType: string; readonly headers?: Readonly<Record<string, string>> }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.rechunk(Stream.fromIterable(pieces), 1), {
    ...options,
    contentLength: pieces.reduce((sum, { length }) => sum + length, 0)
  })
