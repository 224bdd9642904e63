/**
 * Opens and resolves alerts in PagerDuty with its Events API v2. The deduplication key identifies the alert, so that a
 * recovery resolves what the opening created, and a reminder updates it.
 * @see https://developer.pagerduty.com/docs/events-api-v2-overview
 */
import * as Channel from "@kanmon/core/Channel"
import * as HttpDelivery from "@kanmon/core/HttpDelivery"
import * as Plugin from "@kanmon/core/Plugin"
import { WebAddress } from "@kanmon/core/WebAddress"
import { patternText } from "@kanmon/domain/BoundedText"
import { Effect, Schema } from "effect"
import { event } from "./Event.ts"

const config = Schema.Struct({
  integrationKey: patternText(32, /^[0-9A-Za-z]{32}$/, "Expected an integration key of 32 letters and digits").annotate(
    { description: "Integration key of a service, of the type Events API v2. Write-only" }
  )
})

const settings = Schema.Struct({
  KANMON_PAGERDUTY_API_BASE: Schema.optionalKey(
    WebAddress.annotate({
      description:
        "URL of the Events API; defaults to `https://events.pagerduty.com`; `https://events.eu.pagerduty.com` in the EU"
    })
  )
})

const usualBase = "https://events.pagerduty.com"

const readAnswer = HttpDelivery.reader(
  Schema.Struct({
    message: Schema.String,
    errors: Schema.optionalKey(Schema.Array(Schema.String)),
    dedup_key: Schema.optionalKey(Schema.String)
  })
)

const pagerduty = Channel.define({
  type: "pagerduty",
  title: "PagerDuty",
  summary: "Opens an incident in PagerDuty and resolves it.",
  config,
  example: { integrationKey: "0123456789abcdef0123456789abcdef" },
  secrets: ["integrationKey"],
  opensIncidents: true,
  settings,
  destinations: ({ KANMON_PAGERDUTY_API_BASE: base }) => (base === undefined ? [] : [base]),
  make: ({ integrationKey }, { KANMON_PAGERDUTY_API_BASE: base = usualBase }) =>
    Effect.succeed({
      deliver: Effect.fn("notify-pagerduty.deliver")(function* (notice) {
        const answer = yield* HttpDelivery.postJson({
          url: new URL(`${base.replace(/(?<!\/)\/+$/, "")}/v2/enqueue`),
          json: event(integrationKey, notice),
          secrets: [integrationKey],
          explain: (text) => {
            const said = readAnswer(text)
            return said === undefined ? undefined : [said.message, ...(said.errors ?? [])].join("; ")
          }
        })
        const said = readAnswer(answer.body)
        return {
          detail: `HTTP ${answer.status}${said !== undefined ? ` ${said.message}` : ""}`,
          ...(said?.dedup_key !== undefined ? { reference: said.dedup_key } : {})
        }
      })
    })
})

export default Plugin.define({ name: "@kanmon/notify-pagerduty", contract: 1, channels: [pagerduty] })
