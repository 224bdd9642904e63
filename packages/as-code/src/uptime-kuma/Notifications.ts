/** Uptime Kuma's notifications as channels, as far as there is a channel for them. */
import { type Loose, objectIn, text } from "./Backup.ts"
import { address, type Converted, cut, type Draft, headers, leftOut, Secret } from "./Draft.ts"

/** The entries of a notification. */
export const convert = (notification: Loose): Converted => {
  const type = text(notification, "type")
  const reader = readers[type]
  if (reader === undefined) return leftOut(`there is no channel of its type, ${type}; a webhook may do`)
  const { drafts, notes } = reader(notification)
  const name = cut(text(notification, "name") || type, 180)
  return {
    drafts: drafts.map((draft, index) => ({ name: index === 0 ? name : `${name} ${index + 1}`, ...draft })),
    notes
  }
}

type Reader = (notification: Loose) => Converted

const only = (type: string, config: Draft, ...notes: ReadonlyArray<string | false>): Converted => ({
  drafts: [{ type, config }],
  notes: notes.filter((note) => note !== false)
})

/** A channel whose one setting is the address of a webhook, which is the secret. */
const webhookOf =
  (type: string, field: string): Reader =>
  (notification) =>
    only(type, { webhookUrl: new Secret(text(notification, field)) })

const telegram: Reader = (notification) =>
  only(
    "telegram",
    { botToken: new Secret(text(notification, "telegramBotToken")), chatId: text(notification, "telegramChatID") },
    text(notification, "telegramMessageThreadID") !== "" && "it goes to the chat, not to a thread in it"
  )

const webhook: Reader = (notification) => {
  const own = headers(objectIn(notification["webhookAdditionalHeaders"]))
  return only(
    "webhook",
    {
      url: address(text(notification, "webhookURL")),
      ...(Object.keys(own).length === 0 ? {} : { headers: own })
    },
    "the body it sends is Kanmon's own; see docs/guide/alerts.md"
  )
}

/** Sending is the installation's: only who receives is carried over. */
const smtp: Reader = (notification) => {
  const addresses = ["smtpTo", "smtpCC", "smtpBCC"]
    .flatMap((field) => text(notification, field).split(","))
    .map((one) => /<([^<>]+)>/.exec(one)?.[1] ?? one.trim())
    .filter((one) => one !== "")
  if (addresses.length === 0) return leftOut("it has no recipient")
  return {
    drafts: addresses.map((one) => ({ type: "email", config: { address: one } })),
    notes: [
      "its mail server is a setting of the installation: SMTP_URL and SMTP_FROM",
      ...(addresses.length > 1 ? [`it is ${addresses.length} channels, one for each recipient`] : [])
    ]
  }
}

const pushover: Reader = (notification) =>
  only(
    "pushover",
    {
      userKey: new Secret(text(notification, "pushoveruserkey")),
      appToken: new Secret(text(notification, "pushoverapptoken"))
    },
    text(notification, "pushoverdevice") !== "" && "it goes to all devices, not to one"
  )

const ntfy: Reader = (notification) => {
  const server = text(notification, "ntfyserverurl").replace(/(?<!\/)\/+$/, "")
  const signsIn = !["", "none"].includes(text(notification, "ntfyAuthenticationMethod"))
  if (signsIn) return leftOut("signing in to an ntfy server is not possible here")
  return only("ntfy", {
    topic: text(notification, "ntfytopic"),
    ...(server === "" || server === "https://ntfy.sh" ? {} : { serverUrl: server })
  })
}

const matrix: Reader = (notification) =>
  only("matrix", {
    homeserverUrl: text(notification, "homeserverUrl"),
    roomId: text(notification, "internalRoomId"),
    accessToken: new Secret(text(notification, "accessToken"))
  })

const pagerduty: Reader = (notification) =>
  only(
    "pagerduty",
    { integrationKey: new Secret(text(notification, "pagerdutyIntegrationKey")) },
    text(notification, "pagerdutyIntegrationUrl").includes(".eu.") &&
      "its account is in the EU: set KANMON_PAGERDUTY_API_BASE to https://events.eu.pagerduty.com"
  )

const opsgenie: Reader = (notification) =>
  only("opsgenie", {
    apiKey: new Secret(text(notification, "opsgenieApiKey")),
    ...(text(notification, "opsgenieRegion") === "eu" ? { region: "eu" } : {})
  })

const twilio: Reader = (notification) =>
  only(
    "sms",
    { phoneNumber: text(notification, "twilioToNumber") },
    "its Twilio account is a setting of the installation: TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM"
  )

const readers: Readonly<Record<string, Reader>> = {
  telegram,
  discord: webhookOf("discord", "discordWebhookUrl"),
  slack: webhookOf("slack", "slackwebhookURL"),
  teams: webhookOf("teams", "webhookUrl"),
  mattermost: webhookOf("mattermost", "mattermostWebhookUrl"),
  webhook,
  smtp,
  pushover,
  ntfy,
  matrix,
  PagerDuty: pagerduty,
  Opsgenie: opsgenie,
  twilio
}
