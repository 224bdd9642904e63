/** Uptime Kuma's notifications as channels, as far as there is a channel for them. */
import type { Channel } from "@kanmon/core/Channel"
import { normalizeEmail } from "@kanmon/domain/EmailAddress"
import { flag, type Loose, text } from "./Backup.ts"
import { address, type Draft, headers, Secret } from "../Secret.ts"
import { type Converted, cut, leftOut, look, type Said } from "./Draft.ts"
import { ownHeaders } from "./OwnHeaders.ts"

/** The entries of a notification. */
export const convert = (notification: Loose, kinds: ReadonlyMap<string, Channel>): Converted => {
  const type = text(notification, "type")
  const reader = readers[type]
  if (reader === undefined) return leftOut(`there is no channel of its type, ${type}; a webhook may do`)
  const { drafts, notes } = reader(notification)
  const name = cut(text(notification, "name") || type, 180)
  return {
    drafts: drafts.map((draft, index) => ({ name: index === 0 ? name : `${name} ${index + 1}`, ...draft })),
    notes: [
      ...notes,
      ...drafts
        .slice(0, 1)
        .flatMap((draft) => (kinds.get(String(draft["type"]))?.recipient === undefined ? [] : [unconfirmed])),
      ...dropped(type, notification)
    ]
  }
}

const unconfirmed = look(
  "nothing but a code is sent there until the recipient has confirmed: the code arrives when the channel is made; enter it on the page Channels"
)

/** Settings that change how a message looks or sounds, by their fields, and what they are called there. */
const appearances: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  telegram: {
    telegramSendSilently: "it sent silently; here the settings of the chat decide",
    telegramProtectContent: "its messages could not be forwarded; here they can",
    telegramServerUrl:
      "its server of the Bot API is a setting of the installation, which its operator makes: KANMON_TELEGRAM_API_BASE",
    telegramUseTemplate: "its template is not carried over"
  },
  discord: {
    discordPrefixMessage: "the text before its messages, with its mentions, is not carried over",
    discordUsername: "its name for the bot is not carried over; the webhook has one",
    threadId: "it goes to the channel of the webhook, not to a thread or a new post"
  },
  slack: {
    slackchannel: "its channel is not carried over: the webhook's own is used",
    slackchannelnotify: "it does not mention the channel",
    slackusername: "its name for the bot is not carried over; the webhook has one",
    slackiconemo: "its icon is not carried over"
  },
  mattermost: {
    mattermostchannel: "its channel is not carried over: the webhook's own is used",
    mattermostusername: "its name for the bot is not carried over; the webhook has one",
    mattermosticonurl: "its icon is not carried over",
    mattermosticonemo: "its icon is not carried over"
  },
  pushover: {
    pushoverpriority: "its priority is not carried over",
    pushoversounds: "its sound is not carried over",
    pushoversounds_up: "its sound of recoveries is not carried over",
    pushoverttl: "its time to live is not carried over"
  },
  ntfy: {
    ntfyPriority: "its priority is not carried over",
    ntfyPriorityDown: "its priority of outages is not carried over",
    ntfyIcon: "its icon is not carried over",
    ntfyCall: "its phone call is not carried over",
    ntfyCustomTitle: "its title is not carried over",
    ntfyCustomMessage: "its text is not carried over"
  },
  smtp: {
    customSubject: "its subject is not carried over",
    customBody: "its text is not carried over"
  },
  PagerDuty: {
    pagerdutyPriority: "its severity is not carried over",
    pagerdutyAutoResolve: "incidents there are resolved with the alert"
  },
  Opsgenie: { opsgeniePriority: "its priority is not carried over" }
}

/** Settings of a notification that its channel lacks. */
const dropped = (type: string, notification: Loose): ReadonlyArray<string> => [
  ...new Set(
    Object.entries(appearances[type] ?? {}).flatMap(([field, words]) =>
      flag(notification, field) || !["", "0", "false"].includes(text(notification, field)) ? [words] : []
    )
  )
]

type Reader = (notification: Loose) => Converted

const only = (type: string, config: Draft, ...notes: ReadonlyArray<Said | false>): Converted => ({
  drafts: [{ type, config }],
  notes: notes.filter((note) => note !== false)
})

/** A channel with the secret address of a webhook as its only setting. */
const webhookOf =
  (type: string, field: string): Reader =>
  (notification) =>
    only(type, { webhookUrl: new Secret(text(notification, field)) })

const threadOf = (id: string): { readonly messageThreadId?: number } =>
  /^[1-9]\d{0,9}$/.test(id) ? { messageThreadId: Number(id) } : {}

const telegram: Reader = (notification) => {
  const id = text(notification, "telegramMessageThreadID")
  const thread = threadOf(id)
  return only(
    "telegram",
    {
      botToken: new Secret(text(notification, "telegramBotToken")),
      chatId: text(notification, "telegramChatID"),
      ...thread
    },
    id !== "" && thread.messageThreadId === undefined && look("its thread is no number: it goes to the chat itself")
  )
}

const webhook: Reader = (notification) => {
  const lost: Array<Said> = []
  const own = headers(ownHeaders(notification["webhookAdditionalHeaders"], "channel", lost))
  return only(
    "webhook",
    {
      url: address(text(notification, "webhookURL")),
      ...(Object.keys(own).length === 0 ? {} : { headers: own })
    },
    look("the body it sends is Kanmon's own, so its receiver has to be adapted"),
    ...lost
  )
}

/** Sending is the installation's: only who receives is carried over. */
const smtp: Reader = (notification) => {
  const all = ["smtpTo", "smtpCC", "smtpBCC"]
    .flatMap((field) => text(notification, field).split(","))
    .map((one) => /<([^<>]+)>/.exec(one)?.[1] ?? one.trim())
    .filter((one) => one !== "")
  const addresses = [...new Map(all.map((one) => [normalizeEmail(one), one])).values()]
  if (addresses.length === 0) return leftOut("it has no recipient")
  const channels = Array.from({ length: Math.ceil(addresses.length / mostAddresses) }, (_, index) =>
    addresses.slice(index * mostAddresses, (index + 1) * mostAddresses)
  )
  return {
    drafts: channels.map(([first = "", ...more]) => ({
      type: "email",
      config: { address: first, ...(more.length === 0 ? {} : { additionalAddresses: more }) }
    })),
    notes: [
      "its mail server is a setting of the installation, which its operator makes: SMTP_URL and SMTP_FROM",
      ...(addresses.length > 1 ? ["each recipient gets an e-mail of its own"] : []),
      ...(channels.length > 1
        ? [`it is ${channels.length} channels, because one sends to at most ${mostAddresses} addresses`]
        : [])
    ]
  }
}

/** Addresses of one e-mail channel. */
const mostAddresses = 20

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
  const method = text(notification, "ntfyAuthenticationMethod")
  const credentials =
    method === "usernamePassword"
      ? { username: text(notification, "ntfyusername"), password: new Secret(text(notification, "ntfypassword")) }
      : method === "accessToken"
        ? { token: new Secret(text(notification, "ntfyaccesstoken")) }
        : {}
  return only(
    "ntfy",
    {
      topic: new Secret(text(notification, "ntfytopic")),
      ...(server === "" || server === "https://ntfy.sh" ? {} : { serverUrl: server }),
      ...credentials
    },
    !["", "none", "usernamePassword", "accessToken"].includes(method) &&
      look("its way to sign in is not known: enter a token or a password in the channel")
  )
}

const matrix: Reader = (notification) =>
  only("matrix", {
    homeserverUrl: address(text(notification, "homeserverUrl")),
    roomId: text(notification, "internalRoomId"),
    accessToken: new Secret(text(notification, "accessToken"))
  })

const pagerduty: Reader = (notification) =>
  only(
    "pagerduty",
    { integrationKey: new Secret(text(notification, "pagerdutyIntegrationKey")) },
    text(notification, "pagerdutyIntegrationUrl").includes(".eu.") &&
      look(
        "its account is in the EU: the operator of the installation has to set KANMON_PAGERDUTY_API_BASE to https://events.eu.pagerduty.com"
      )
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
    "its Twilio account is a setting of the installation, which its operator makes: TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM"
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
