/**
 * Opens and closes alerts in Opsgenie. The alias identifies the alert, so that a recovery closes what the opening created.
 * @see https://docs.opsgenie.com/docs/alert-api
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { patternText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import { type Request, request } from "./Request.ts"

const config = Schema.Struct({
  apiKey: patternText(256, /^[\x21-\x7E]{8,256}$/, "Expected an API key").annotate({
    description: "API key of an integration. Write-only"
  }),
  region: Schema.Literals(["us", "eu"])
    .annotate({ description: "Region of the account; defaults to `us`" })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("us" as const)))
})

const settings = Schema.Struct({
  KANMON_OPSGENIE_API_BASE: Schema.optionalKey(
    WebAddress.annotate({ description: "URL of the API, overrides the region; defaults to Opsgenie's own" })
  )
})

const bases = { us: "https://api.opsgenie.com", eu: "https://api.eu.opsgenie.com" } as const

const readAnswer = HttpDelivery.reader(
  Schema.Struct({
    message: Schema.optionalKey(Schema.String),
    result: Schema.optionalKey(Schema.String),
    requestId: Schema.optionalKey(Schema.String)
  })
)

const opsgenie = Channel.define({
  type: "opsgenie",
  title: "Opsgenie",
  summary: "Opens an alert in Opsgenie and closes it.",
  config,
  example: { apiKey: "00000000-0000-0000-0000-000000000000", region: "eu" },
  secrets: ["apiKey"],
  opensIncidents: true,
  // Both regions belong to Opsgenie.
  destination: [],
  settings,
  destinations: ({ KANMON_OPSGENIE_API_BASE: base }) => (base === undefined ? [] : [base]),
  make: ({ apiKey, region }, { KANMON_OPSGENIE_API_BASE: base = bases[region] }) =>
    Effect.sync(() => {
      const post = ({ json, path }: Request) =>
        HttpDelivery.postJson({
          url: new URL(`${base.replace(/(?<!\/)\/+$/, "")}${path}`),
          headers: { authorization: `GenieKey ${apiKey}` },
          json,
          secrets: [apiKey],
          explain: (text) => readAnswer(text)?.message
        })
      return {
        deliver: Effect.fn("notify-opsgenie.deliver")(function* (notice) {
          const answer = yield* post(request(notice))
          const said = readAnswer(answer.body)
          return {
            detail: `HTTP ${answer.status}${said?.result !== undefined ? ` ${said.result}` : ""}`,
            ...(said?.requestId !== undefined ? { reference: said.requestId } : {})
          }
        })
      }
    })
})

export default Plugin.define({ name: "@kanmon/notify-opsgenie", contract: 1, channels: [opsgenie] })
