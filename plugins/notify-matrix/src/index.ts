/**
 * Sends to a Matrix room as an account that has joined it. The transaction id is the notice's, so that a repeated message
 * is not shown twice.
 * @see https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { patternText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import { body, ownBody, replacement } from "./Message.ts"

const config = Schema.Struct({
  homeserverUrl: WebAddress.annotate({ description: "URL of the homeserver, such as `https://matrix.org`" }),
  roomId: patternText(255, /^![^\s/]{1,254}$/, "Expected a room id, which starts with !, not an alias (#)").annotate({
    description: "Internal id of the room, which starts with `!`"
  }),
  accessToken: patternText(2048, /^[\x21-\x7E]{8,2048}$/, "Expected an access token").annotate({
    description: "Access token of the sending account. Write-only"
  })
})

const ErrorBody = Schema.Struct({
  errcode: Schema.String,
  error: Schema.optionalKey(Schema.String),
  retry_after_ms: Schema.optionalKey(Schema.Finite),
  soft_logout: Schema.optionalKey(Schema.Boolean)
})
const readError = HttpDelivery.reader(ErrorBody)
const readEvent = HttpDelivery.reader(Schema.Struct({ event_id: Schema.String }))

const matrix = Channel.define({
  type: "matrix",
  title: "Matrix",
  summary: "Sends to a Matrix room.",
  config,
  example: { homeserverUrl: "https://matrix.org", roomId: "!abc:matrix.org", accessToken: "syt_an_access_token" },
  secrets: ["accessToken"],
  reachesPerson: true,
  callsOff: true,
  destination: ["homeserverUrl"],
  make: ({ accessToken, homeserverUrl, roomId }) =>
    Effect.sync(() => {
      const base = homeserverUrl.replace(/(?<!\/)\/+$/, "")
      const send = Effect.fnUntraced(function* (id: string, content: object) {
        const answer = yield* HttpDelivery.send({
          url: new URL(
            `${base}/_matrix/client/v3/rooms/${encodeURIComponent(roomId)}/send/m.room.message/${encodeURIComponent(id)}`
          ),
          method: "PUT",
          headers: { "content-type": "application/json", authorization: `Bearer ${accessToken}` },
          body: JSON.stringify(content),
          secrets: [accessToken],
          explain: (text) => {
            const error = readError(text)
            return error === undefined ? undefined : `${error.errcode}: ${error.error ?? ""}`
          },
          classify: ({ body: text, headers, status }, detail) => {
            const error = readError(text)
            if (error === undefined) return undefined
            const { errcode, retry_after_ms: millis, soft_logout: mayReturn } = error
            if (status === 429 && headers["retry-after"] === undefined && millis !== undefined)
              return Channel.throttled(detail, Math.min(Math.max(millis / 1000, 1), 3600))
            // A locked account can be unlocked, and its token stays valid.
            return errcode === "M_USER_LOCKED" || (status === 401 && mayReturn === true)
              ? Channel.unreachable(detail)
              : undefined
          }
        })
        const event = readEvent(answer.body)
        return {
          detail: `HTTP ${answer.status}`,
          ...(event !== undefined ? { reference: event.event_id } : {})
        }
      })
      return {
        deliver: Effect.fn("notify-matrix.deliver")((notice) => send(notice.id, body(notice))),
        callOff: Effect.fn("notify-matrix.callOff")(({ because, notice, reference }) =>
          Effect.asVoid(send(`${notice.id}-handled`, replacement(notice, because, reference)))
        ),
        message: Effect.fn("notify-matrix.message")((own) => send(own.id, ownBody(own)))
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-matrix", contract: 1, channels: [matrix] })
